"""Oracles of what makes programs large: loops of Python, and arrays that are written into them."""

from __future__ import annotations

from jitlint.verify.driving.oracles.findings import Finding, Runs, plain, times
from jitlint.verify.driving.verdicts import CONFIRMED, NOT_REACHED, REFUTED
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.records import Report

#: fewer turns than this cost no more than a loop of XLA
_MANY_TURNS = 4


def unrolled(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether a trace turns a loop often."""
    loop = places.loops.get(report.number)
    for run in runs.traced:
        if loop is None:
            entered, turned = run.entered[report.number], run.turned[report.number]
        else:
            entered, turned = (run.traced_rows[report.filename, row] for row in loop)
        if not entered:
            continue
        turns = turned // entered
        evidence = {"turns": turns, "summary": f"the body was traced {times(turns)} for one loop"}
        if turns >= _MANY_TURNS:
            evidence |= {"substituted": True} if run.substituted else {}
            return Finding(CONFIRMED, evidence)
        if runs.real and plain(run):
            return Finding(REFUTED, evidence)
    return Finding(NOT_REACHED, {})


def bloated(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether an array that a trace reads is written into the program."""
    for run in runs.traced:
        if report.number not in run.captured:
            continue
        captured = run.captured[report.number]
        evidence = {
            "bytes": captured.bytes,
            "program_characters": captured.characters,
            "summary": f"the trace reads {captured.bytes:,} bytes here; the text of the program "
            f"that it makes has {captured.characters:,} characters",
        }
        # A byte is two characters; the program may keep half or a quarter of the precision.
        if captured.characters > captured.bytes // 4:
            return Finding(CONFIRMED, evidence)
        if runs.real and plain(run):
            return Finding(REFUTED, evidence)
    return Finding(NOT_REACHED, {})
