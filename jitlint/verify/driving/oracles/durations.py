"""Oracles of durations: work that a clock does not wait for, and compilation that it includes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jitlint.verify.driving.oracles.findings import Finding, Runs, plain, times
from jitlint.verify.driving.verdicts import CONFIRMED, NOT_REACHED, REFUTED
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.records import Reading, Report, RunRecord


@dataclass(frozen=True, slots=True)
class _Span:
    """What lies between two readings of a clock.

    Args:
      dispatched: how many programs were dispatched.
      pending: how many of them were not ready at its end.
      compiled: how many programs were compiled.
    """

    dispatched: int
    pending: int
    compiled: int


def read_early(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether a clock is read while dispatched work is pending."""
    narrow: list[_Span] = []
    wide: list[_Span] = []
    for run in runs.with_jit:
        narrow += _spans(report, run, places, narrow=True)
        if plain(run):
            wide += _spans(report, run, places, narrow=False)
    early = [span for span in narrow if span.pending]
    if early:
        worst = max(early, key=lambda span: span.pending)
        summary = f"read {times(len(narrow))}, {times(len(early))} while work was pending; at "
        summary += f"worst {worst.pending} of {_programs(worst.dispatched)} dispatched since the "
        summary += "reading before, with arguments held back as on a slower device"
        return Finding(
            CONFIRMED,
            {"summary": summary, "dispatched": worst.dispatched, "pending": worst.pending},
        )
    if wide and runs.real and not any(span.pending for span in wide):
        most = max(span.dispatched for span in wide)
        summary = f"read {times(len(wide))}; {_programs(most)} dispatched before were ready"
        if not most:
            summary = f"read {times(len(wide))}; nothing was dispatched before"
        return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def compiled_while_measured(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether something is compiled between two readings of a clock."""
    for run in runs.traced[:1]:
        narrow = list(_spans(report, run, places, narrow=True))
        compiling = [span for span in narrow if span.compiled]
        if compiling:
            number = max(span.compiled for span in compiling)
            summary = f"{_programs(number)} compiled since the reading before"
            if len(narrow) > 1:
                summary += f", in {len(compiling)} of {len(narrow)} durations"
            return Finding(CONFIRMED, {"summary": summary, "compilations": number})
        wide = list(_spans(report, run, places, narrow=False))
        if wide and runs.real and plain(run) and not any(span.compiled for span in wide):
            return Finding(REFUTED, {"summary": "nothing was compiled since the clock was read"})
    return Finding(NOT_REACHED, {})


def _programs(number: int) -> str:
    return f"{number} program{'' if number == 1 else 's'}"


def _spans(report: Report, run: RunRecord, places: Places, *, narrow: bool) -> Iterator[_Span]:
    """The spans that end at a report.

    Args:
      report: where a clock is read.
      run: what was recorded.
      places: where the report stands.
      narrow: from the last reading on behalf of the same frame; else from the first of all.
    """
    rows = {(report.filename, row) for row in places.rows(report)}
    for position, reading in enumerate(run.readings):
        frames = [step.frame for step in reading.steps if (step.filename, step.row) in rows]
        if not frames:
            continue
        before = run.readings[:position]
        if narrow:
            before = [one for one in before if _on_behalf(one, frames[0])][-1:]
        if before:
            yield _between(before[0], reading)


def _on_behalf(reading: Reading, frame: tuple[int, int]) -> bool:
    return any(step.frame == frame for step in reading.steps)


def _between(start: Reading, end: Reading) -> _Span:
    return _Span(
        end.dispatched - start.dispatched,
        sum(1 for number in end.pending if number > start.dispatched),
        end.compiled - start.compiled,
    )
