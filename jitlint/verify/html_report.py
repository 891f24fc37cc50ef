"""``jitlint verify --report``: one self-contained page with source, verdicts and evidence."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitlint.source.file_names import shown_name
from jitlint.verify.driving.verdicts import CONFIRMED, Verified, worst
from jitlint.verify.proving import verdicts as proving
from jitlint.verify.verdict_text import WORDS, changes_outside, missed_in_words, on_devices

_CONTEXT = 3
_MOST_BARS = 8
_BAR_WIDTH = 420
# Longer chains are shown by their ends.
_LONGEST_CHAIN = 16

_STYLE = """
:root { color-scheme: light dark;
  --ink: #1f2430; --paper: #fbfaf7; --soft: #6b7280; --line: #e5e1d8; --card: #fff;
  --confirmed: #b42318; --refuted: #1d6fa5; --not-reached: #8a6d00; --inconclusive: #6b5b95; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181d; --soft: #9aa3b2; --line: #2c313a; --card: #1d2027;
    --confirmed: #ff7b6b; --refuted: #6cb8ef; --not-reached: #e0bd4b; --inconclusive: #b9a5ec; } }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.05rem; margin: 2.2rem 0 .6rem; }
p.about { color: var(--soft); margin-top: 0; }
fieldset { display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; border: 0; margin: 1rem 0; }
fieldset label { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .5rem 1rem; cursor: pointer; user-select: none; }
fieldset label:has(input:not(:checked)) { opacity: .45; }
fieldset label:has(input:focus-visible) { outline: 2px solid currentColor; }
fieldset input { position: absolute; opacity: 0; }
fieldset b { font-size: 1.5rem; display: block; line-height: 1.2; }
nav ul { columns: 2; padding-left: 1.1rem; } nav a { color: inherit; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  margin: .8rem 0; padding: .8rem 1rem; }
article header { display: flex; gap: .7rem; align-items: baseline; flex-wrap: wrap; }
.code { font-weight: 700; } .name, .place, .inputs { color: var(--soft); }
.badge { font-weight: 600; } .fix-proven { color: #1a7f37; }
.fix-changes-result { color: var(--confirmed); } .fix-not-run { color: var(--not-reached); }
:is(.badge, label).confirmed { color: var(--confirmed); }
:is(.badge, label).refuted { color: var(--refuted); }
:is(.badge, label).not-reached { color: var(--not-reached); }
:is(.badge, label).inconclusive { color: var(--inconclusive); }
pre { overflow-x: auto; background: var(--paper); border: 1px solid var(--line);
  border-radius: .4rem; padding: .6rem; font-size: .86rem; line-height: 1.45; }
pre .row { color: var(--soft); user-select: none; }
pre mark { background: none; color: inherit;
  text-decoration: underline wavy var(--confirmed) 1.5px; text-underline-offset: 3px; }
details { margin: .3rem 0; } details summary { cursor: pointer; color: var(--soft); }
details pre { max-height: 24rem; overflow: auto; }
figure { margin: .6rem 0; } figcaption { color: var(--soft); font-size: .86rem; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui; }
@media (max-width: 40rem) { nav ul { columns: 1; } }
@media print { article { break-inside: avoid; } fieldset label { border-color: #999; } }
"""


def page(
    verified: Verified, folder: Path, lines_of: Callable[[str, int | None], Sequence[str] | None]
) -> Iterator[str]:
    """The page, line by line.

    Args:
      verified: the outcome.
      folder: paths are shown relative to it.
      lines_of: the lines of a file, or of one of its cells.
    """
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(_title(verified))}</title>"
    yield f"<style>{_STYLE}{_hiding()}</style></head><body>"
    yield "<h1>jitlint verify</h1>"
    yield f'<p class="about">{_about(verified)}</p>'
    yield '<fieldset aria-label="Show reports by verdict">'
    for verdict, word in WORDS.items():
        number = sum(worst(r["verdicts"]) == verdict for r in verified.reports)
        yield f'<label class="{verdict}" title="Show or hide these"><input type="checkbox" checked '
        yield f'id="show-{verdict}"><b>{number}</b>{word}</label>'
    yield "</fieldset>"
    by_file: dict[str, list[Mapping[str, Any]]] = {}
    for report in verified.reports:
        by_file.setdefault(report["filename"], []).append(report)
    if len(by_file) > 1:
        yield from _contents(by_file, folder)
    for number, (filename, reports) in enumerate(by_file.items()):
        yield f'<h2 id="file-{number}">{_text(shown_name(filename, folder))}</h2>'
        for line in changes_outside(reports):
            yield f'<p class="about">The module {_text(line)}.</p>'
        for item in reports:
            yield from _report(item, lines_of(filename, item["cell"]) or (), folder)
    if verified.missed:
        yield "<h2>Missed: seen in a call, not reported by check</h2><ul>"
        for missed in verified.missed:
            place = f"{shown_name(missed['filename'], folder)}:{missed['location']['row']}"
            told = f"{place}: {missed_in_words(missed)}"
            yield f"<li>{_text(told)}</li>"
        yield "</ul>"
    for line in (*verified.notes, *verified.failures):
        yield f"<p>{_text(line)}</p>"
    yield "</body></html>"


def _title(verified: Verified) -> str:
    number = sum(worst(r["verdicts"]) == CONFIRMED for r in verified.reports)
    return f"jitlint verify: {number} of {len(verified.reports)} confirmed"


def _hiding() -> str:
    """The rules by which an unchecked box hides its reports: no script is needed."""
    return "".join(
        f"body:has(#show-{verdict}:not(:checked)) article.{verdict} {{ display: none; }}\n"
        for verdict in WORDS
    )


def _contents(by_file: Mapping[str, Sequence[Mapping[str, Any]]], folder: Path) -> Iterator[str]:
    """Links to the files."""
    yield "<nav><ul>"
    for number, (filename, reports) in enumerate(by_file.items()):
        confirmed = sum(worst(r["verdicts"]) == CONFIRMED for r in reports)
        name = _text(shown_name(filename, folder))
        yield f'<li><a href="#file-{number}">{name}</a> {confirmed}/{len(reports)}</li>'
    yield "</ul></nav>"


def _about(verified: Verified) -> str:
    if not verified.devices:
        return _text(f"Nothing was run; {verified.seconds:.1f} s")
    where = ", ".join(verified.devices)
    version = f"JAX {verified.jax}"
    return _text(f"{version} on {where}, {verified.seconds:.1f} s")


def _report(report: Mapping[str, Any], lines: Sequence[str], folder: Path) -> Iterator[str]:
    yield f'<article class="{worst(report["verdicts"])}"><header>'
    yield f'<span class="code">{report["code"]}</span>'
    yield f'<span class="name">{report["name"]}</span>'
    cell = "" if report["cell"] is None else f"cell {report['cell']}, "
    yield f'<span class="place">{cell}row {report["location"]["row"]}</span></header>'
    yield f"<p>{_prose(report['message'])}</p>"
    yield f"<pre>{_frame(report, lines)}</pre>"
    for verdict in report["verdicts"]:
        evidence = verdict["evidence"]
        word = WORDS[verdict["verdict"]]
        yield f'<p><span class="badge {verdict["verdict"]}">{verdict["backend"]}: {word}</span> '
        yield f"{_prose(str(evidence.get('summary', '')))}"
        if verdict["inputs"]:
            behind = ", behind a fault that was stepped over" if "substituted" in evidence else ""
            by = f" ({evidence['by']})" if "by" in evidence else ""
            seen = f"Seen in {verdict['inputs']}{by}{on_devices(evidence)}{behind}."
            yield f'<br><span class="inputs">{_text(seen)}</span>'
        yield "</p>"
        if "stub" in evidence:
            yield f"<p>To be filled in: <code>{_text(evidence['stub'])}</code></p>"
        if "reproducer" in evidence:
            text = _text(evidence["reproducer"]["text"])
            yield f"<details><summary>to see it again</summary><pre>{text}</pre></details>"
        if "milliseconds" in evidence:
            yield _chart(evidence["milliseconds"], evidence.get("hoisted_milliseconds", ()))
        if "output" in evidence:
            yield f"<details><summary>output</summary><pre>{_text(evidence['output'])}</pre>"
            yield "</details>"
        if "jaxpr" in evidence:
            yield from _program(evidence)
    for found in report.get("fix_verdicts", ()):
        yield from _of_fix(found, report["fix"])
    if report["trace"]:
        yield from _why(report["trace"], folder)
    if report["help"]:
        yield f"<details><summary>what to do</summary><p>{_prose(report['help'])}</p></details>"
    yield "</article>"


def _of_fix(found: Mapping[str, Any], fix: Mapping[str, Any]) -> Iterator[str]:
    """What running says of a fix."""
    word = proving.WORDS[found["verdict"]]
    title = f"{found['backend']}: {fix['applicability']} fix {word}"
    yield f'<p><span class="badge fix-{found["verdict"]}">{title}</span> '
    yield f"{_prose(fix['message'])}: {_prose(found['evidence']['summary'])}</p>"


def _program(evidence: Mapping[str, Any]) -> Iterator[str]:
    """What JAX made of the function, folded."""
    title = "jaxpr: what was compiled"
    if evidence.get("jaxpr_substituted"):
        title += ", with made-up values where JAX itself would have stopped"
    yield f"<details><summary>{title}</summary><pre>{_text(str(evidence['jaxpr']))}</pre></details>"


def _why(trace: Sequence[Mapping[str, Any]], folder: Path) -> Iterator[str]:
    """The chain from the transform to the place, folded."""
    yield "<details><summary>why it is traced</summary><ol>"
    for position, step in enumerate(trace):
        if _LONGEST_CHAIN // 2 <= position < len(trace) - _LONGEST_CHAIN // 2:
            continue
        place = f"{shown_name(step['filename'], folder)}:{step['row']}"
        yield f"<li><code>{_text(place)}</code> {_prose(step['note'])}</li>"
    yield "</ol></details>"


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
    bars = bars[:_MOST_BARS]
    if hoisted:
        typical = sorted(hoisted)[len(hoisted) // 2]
        bars.append(("hoisted", typical, "var(--refuted)"))
    longest = max(value for _, value, _ in bars) or 1.0
    height = 20 * len(bars)
    parts = [
        "<figure><figcaption>Milliseconds of each call, as written and made once</figcaption>",
        f'<svg viewBox="0 0 640 {height}" width="640" height="{height}" role="img" '
        'aria-label="milliseconds of each call">',
    ]
    for position, (label, value, colour) in enumerate(bars):
        top = 20 * position
        width = max(_BAR_WIDTH * value / longest, 1.0)
        parts.append(f'<text x="0" y="{top + 14}">{label}</text>')
        parts.append(
            f'<rect x="64" y="{top + 3}" width="{width:.1f}" height="14" rx="3" fill="{colour}"/>'
        )
        parts.append(f'<text x="{70 + width:.0f}" y="{top + 14}">{value:.2f} ms</text>')
    return "".join([*parts, "</svg></figure>"])


def _text(value: str) -> str:
    return html.escape(value)


def _prose(value: str) -> str:
    """Text in which backquotes mark code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(value))
