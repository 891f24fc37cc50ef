"""``jitlint verify --report``: one self-contained page with source, verdicts and evidence."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitlint.output.report import shown_name
from jitlint.verify.report import WORDS
from jitlint.verify.verdicts import Verified, worst

_CONTEXT = 3
_BAR_WIDTH = 420

_STYLE = """
:root { --ink: #1f2430; --paper: #fbfaf7; --soft: #6b7280; --line: #e5e1d8; --card: #fff;
  --confirmed: #b42318; --refuted: #1d6fa5; --not-reached: #8a6d00; --inconclusive: #6b5b95; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181d; --soft: #9aa3b2; --line: #2c313a; --card: #1d2027;
    --confirmed: #ff7b6b; --refuted: #6cb8ef; --not-reached: #e0bd4b; --inconclusive: #b9a5ec; } }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.05rem; margin: 2.2rem 0 .6rem; }
p.about { color: var(--soft); margin-top: 0; }
ul.counts { display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; list-style: none; }
ul.counts li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .5rem 1rem; } ul.counts b { font-size: 1.5rem; display: block; line-height: 1.2; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  margin: .8rem 0; padding: .8rem 1rem; }
article header { display: flex; gap: .7rem; align-items: baseline; flex-wrap: wrap; }
.code { font-weight: 700; } .name, .place, .inputs { color: var(--soft); }
.badge { font-weight: 600; } .confirmed { color: var(--confirmed); }
.refuted { color: var(--refuted); } .not-reached { color: var(--not-reached); }
.inconclusive { color: var(--inconclusive); }
pre { overflow-x: auto; background: var(--paper); border: 1px solid var(--line);
  border-radius: .4rem; padding: .6rem; font-size: .86rem; line-height: 1.45; }
pre .row { color: var(--soft); user-select: none; }
pre mark { background: none; color: inherit; border-bottom: 2px solid var(--confirmed); }
details summary { cursor: pointer; color: var(--soft); }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
"""


def page(
    verified: Verified, folder: Path, lines_of: Callable[[str], Sequence[str] | None]
) -> Iterator[str]:
    """The page, line by line.

    Args:
      verified: the outcome.
      folder: paths are shown relative to it.
      lines_of: the lines of a file.
    """
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>jitlint verify</title><style>{_STYLE}</style></head><body>"
    yield "<h1>jitlint verify</h1>"
    yield f'<p class="about">{_about(verified)}</p>'
    yield '<ul class="counts">'
    for verdict, word in WORDS.items():
        number = sum(worst(r["verdicts"]) == verdict for r in verified.reports)
        yield f'<li class="{verdict}"><b>{number}</b>{word}</li>'
    yield "</ul>"
    filename = None
    for report in verified.reports:
        if report["filename"] != filename:
            filename = report["filename"]
            yield f"<h2>{_text(shown_name(filename, folder))}</h2>"
        yield from _report(report, lines_of(report["filename"]) or ())
    if verified.missed:
        yield "<h2>Missed: raised by a tracer in a real call, not reported by check</h2><ul>"
        for missed in verified.missed:
            place = f"{shown_name(missed['filename'], folder)}:{missed['location']['row']}"
            yield f"<li>{_text(place)}: {_text(missed['exception'])} in {_text(missed['inputs'])}"
        yield "</ul>"
    for failure in verified.failures:
        yield f"<p>{_text(failure)}</p>"
    yield "</body></html>"


def _about(verified: Verified) -> str:
    where = ", ".join(verified.devices) or "no device"
    version = f"JAX {verified.jax}" if verified.jax else "without JAX"
    return _text(f"{version} on {where}, {verified.seconds:.1f} s")


def _report(report: Mapping[str, Any], lines: Sequence[str]) -> Iterator[str]:
    yield "<article><header>"
    yield f'<span class="code">{report["code"]}</span>'
    yield f'<span class="name">{report["name"]}</span>'
    yield f'<span class="place">row {report["location"]["row"]}</span></header>'
    yield f"<p>{_text(report['message'])}</p>"
    yield f"<pre>{_frame(report, lines)}</pre>"
    for verdict in report["verdicts"]:
        evidence = verdict["evidence"]
        word = WORDS[verdict["verdict"]]
        yield f'<p><span class="badge {verdict["verdict"]}">{verdict["backend"]}: {word}</span> '
        yield f"{_text(str(evidence.get('summary', '')))}"
        if verdict["inputs"]:
            behind = ", behind a fault that was stepped over" if "substituted" in evidence else ""
            yield f'<br><span class="inputs">Seen in {_text(verdict["inputs"])}{behind}.</span>'
        yield "</p>"
        if "milliseconds" in evidence:
            yield _chart(evidence["milliseconds"], evidence.get("hoisted_milliseconds", ()))
        if "output" in evidence:
            yield f"<details><summary>output</summary><pre>{_text(evidence['output'])}</pre>"
            yield "</details>"
    if report["help"]:
        yield f"<details><summary>what to do</summary><p>{_text(report['help'])}</p></details>"
    yield "</article>"


def _frame(report: Mapping[str, Any], lines: Sequence[str]) -> str:
    """The lines around a place, with the fault marked."""
    start, end = report["location"], report["end_location"]
    first = max(start["row"] - _CONTEXT, 1)
    last = min(max(start["row"], end["row"]) + _CONTEXT, len(lines))
    shown = []
    for row in range(first, last + 1):
        line = lines[row - 1]
        if start["row"] <= row <= end["row"]:
            left = start["column"] - 1 if row == start["row"] else len(line) - len(line.lstrip())
            right = end["column"] - 1 if row == end["row"] else len(line)
            marked = f"<mark>{_text(line[left:right])}</mark>"
            text = f"{_text(line[:left])}{marked}{_text(line[right:])}"
        else:
            text = _text(line)
        shown.append(f'<span class="row">{row:>5} </span>{text}')
    return "\n".join(shown)


def _chart(written: Sequence[float], hoisted: Sequence[float]) -> str:
    """Bars of milliseconds: as written, call by call, against the hoisted form."""
    bars = [
        (f"call {number}", value, "var(--confirmed)") for number, value in enumerate(written, 1)
    ]
    bars = bars[:8]
    if hoisted:
        typical = sorted(hoisted)[len(hoisted) // 2]
        bars.append(("hoisted", typical, "var(--refuted)"))
    longest = max(value for _, value, _ in bars) or 1.0
    height = 20 * len(bars)
    parts = [f'<svg width="640" height="{height}" role="img" aria-label="milliseconds per call">']
    for position, (label, value, colour) in enumerate(bars):
        top = 20 * position
        width = max(_BAR_WIDTH * value / longest, 1.0)
        parts.append(f'<text x="0" y="{top + 14}">{label}</text>')
        parts.append(
            f'<rect x="64" y="{top + 3}" width="{width:.1f}" height="14" rx="3" fill="{colour}"/>'
        )
        parts.append(f'<text x="{70 + width:.0f}" y="{top + 14}">{value:.2f} ms</text>')
    return "".join([*parts, "</svg>"])


def _text(value: str) -> str:
    return html.escape(value)
