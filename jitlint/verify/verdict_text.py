"""What ``jitlint verify`` says on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from jitlint.diagnostics import Severity
from jitlint.foundation.phrases import counted
from jitlint.output.colors import Painter
from jitlint.output.report import Judgement
from jitlint.source.file_names import shown_name
from jitlint.verify.driving.oracles.findings import times
from jitlint.verify.driving.verdicts import (
    CONFIRMED,
    INCONCLUSIVE,
    NOT_REACHED,
    OWN_CALL,
    REFUTED,
    Verified,
    worst,
)
from jitlint.verify.proving import verdicts as proving

#: the marks and words of the verdicts
WORDS = {
    CONFIRMED: "confirmed",
    REFUTED: "refuted",
    NOT_REACHED: "not reached",
    INCONCLUSIVE: "inconclusive",
}
_LOOKS = {
    CONFIRMED: Severity.ERROR,
    REFUTED: Severity.INFO,
    NOT_REACHED: Severity.WARNING,
    INCONCLUSIVE: Severity.WARNING,
}
_STANDINGS: dict[str, Literal["fails", "passes"]] = {CONFIRMED: "fails", REFUTED: "passes"}
_FIX_LOOKS = {
    proving.CHANGES: Severity.ERROR,
    proving.PROVEN: Severity.INFO,
    proving.NOT_RUN: Severity.WARNING,
}
_WIDTH = 96
_INDENT = " " * 6


def render(verified: Verified, folder: Path, painter: Painter, *, summary: bool) -> Iterator[str]:
    """The verdicts as lines of text.

    Args:
      verified: the outcome.
      folder: paths are shown relative to it.
      painter: colours.
      summary: whether to end with the counts.

    Yields:
      Lines, without their ends.
    """
    filename = None
    for report in verified.reports:
        if report["filename"] != filename:
            if filename is not None:
                yield ""
            filename = report["filename"]
            yield painter.name(shown_name(filename, folder))
            here = [report for report in verified.reports if report["filename"] == filename]
            for line in changes_outside(here):
                yield painter.aside(f"  {line}")
        place = _inside(report)
        yield f"  {place:>7}  {report['code']}  {report['name']}"
        for verdict in report["verdicts"]:
            yield from _verdict(verdict, painter)
        for found in report.get("fix_verdicts", ()):
            yield from _of_fix(found, report["fix"], painter)
    if verified.missed:
        yield ""
        yield painter.name("Missed: seen in a call, not reported by check")
        for missed in verified.missed:
            cell = f"cell {missed['cell']}:" if missed.get("cell") else ""
            place = f"{shown_name(missed['filename'], folder)}:{cell}{missed['location']['row']}"
            yield f"  {place}: {missed_in_words(missed)}"
    if summary:
        yield ""
        yield from _summary(verified)


def missed_in_words(missed: Mapping[str, Any]) -> str:
    """What was seen of a fault that is not reported, by what call."""
    rule = f"{missed['rule']}: " if missed["rule"] else ""
    again = f", {times(missed['seen'])}" if missed["seen"] > 1 else ""
    doubt = missed["implausible"]
    by = missed["by"] if missed["by"] != OWN_CALL else "a real call"
    told = f"{rule}{missed['summary']} (in {missed['inputs']}, {by}{again})"
    return told if doubt is None else f"{told}; hardly what a user would pass: {doubt}"


def judgements(verified: Verified) -> list[Judgement]:
    """What running has said of each report, for the formats that ``check`` has too."""
    return [
        Judgement(
            _STANDINGS.get(worst(report["verdicts"]), "open"),
            "\n".join(
                f"{v['backend']} {WORDS[v['verdict']]}: {v['evidence'].get('summary', '')}"
                for v in report["verdicts"]
            ),
            [*report["verdicts"]],
        )
        for report in verified.reports
    ]


def _inside(report: Mapping[str, Any]) -> str:
    """The place of a report in its file."""
    place = f"{report['location']['row']}:{report['location']['column']}"
    return place if report["cell"] is None else f"cell {report['cell']}:{place}"


def _verdict(verdict: Mapping[str, Any], painter: Painter) -> Iterator[str]:
    word = painter.severity(WORDS[verdict["verdict"]], _LOOKS[verdict["verdict"]])
    evidence = verdict["evidence"]
    text = str(evidence.get("summary", ""))
    lines = textwrap.wrap(text, _WIDTH - len(_INDENT) - 4) or [""]
    yield f"{_INDENT}{verdict['backend']} {word}: {lines[0]}"
    yield from (f"{_INDENT}    {line}" for line in lines[1:3])
    if verdict["inputs"]:
        after = ", behind another fault that was stepped over" if "substituted" in evidence else ""
        where = on_devices(evidence)
        by = f" ({evidence['by']})" if evidence.get("by", OWN_CALL) != OWN_CALL else ""
        yield painter.aside(f"{_INDENT}    seen in {verdict['inputs']}{by}{where}{after}")
    if "stub" in evidence:
        yield painter.aside(f"{_INDENT}    to be filled in: {evidence['stub']}")


def _of_fix(found: Mapping[str, Any], fix: Mapping[str, Any], painter: Painter) -> Iterator[str]:
    """What running says of a fix."""
    word = painter.severity(proving.WORDS[found["verdict"]], _FIX_LOOKS[found["verdict"]])
    told = textwrap.wrap(found["evidence"]["summary"], _WIDTH - len(_INDENT) - 4) or [""]
    yield f"{_INDENT}{found['backend']} {fix['applicability']} fix {word}: {told[0]}"
    yield from (f"{_INDENT}    {line}" for line in told[1:3])


def changes_outside(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a module tried to change outside the copy of its project, a line each.

    Args:
      reports: the reports of the module, with their verdicts.
    """
    found = {
        (change["path"], change["refused"]): None
        for report in reports
        for verdict in report["verdicts"]
        for change in verdict["evidence"].get("outside", ())
    }
    return [
        f"tried to change {path}, which was refused"
        if refused
        else f"wrote to {path}, for which an empty home folder stood in"
        for path, refused in found
    ]


def on_devices(evidence: Mapping[str, Any]) -> str:
    """That several devices were made of the CPU, where they were."""
    number = evidence.get("virtual_devices", 1)
    return f" on {number} virtual devices" if number > 1 else ""


def _summary(verified: Verified) -> Iterator[str]:
    total = len(verified.reports)
    counts = [
        f"{verified.count(verdict)} {WORDS[verdict]}"
        for verdict in WORDS
        if verified.count(verdict)
    ]
    line = f"{total} report{'' if total == 1 else 's'}"
    yield f"{line}: {', '.join(counts)}." if counts else f"{line}."
    fixes = proving.counts(verified.reports)
    if fixes:
        told = ", ".join(f"{number} {proving.WORDS[word]}" for word, number in fixes.items())
        yield f"{counted(sum(fixes.values()), 'fix')}: {told}."
    if verified.functions:
        yield f"{verified.functions_run} of {verified.functions} traced functions were run."
    if not verified.devices:
        yield f"Nothing was run; {verified.seconds:.1f} s."
        return
    if verified.reused:
        modules = counted(verified.reused, "module")
        yield f"{modules} taken from an earlier run; `--no-cache` runs all."
    where = ", ".join(verified.devices)
    version = f"JAX {verified.jax}"
    megabytes = verified.peak_bytes / 2**20
    yield f"{version} on {where}; {verified.seconds:.1f} s, at most {megabytes:.0f} MiB."
