"""Oracles of what a program keeps from its trace, and of what gets lost between the two."""

from __future__ import annotations

from jitlint.verify.driving.oracles.findings import Finding, Runs, plain, times
from jitlint.verify.driving.verdicts import CONFIRMED, NOT_REACHED, REFUTED
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.records import Report


def gone_stale(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether what a trace has read is another when the program runs again."""
    for run in runs.traced:
        if report.number in run.stale:
            return Finding(CONFIRMED, {"summary": run.stale[report.number]})
    for run in runs.traced:
        again = run.unchanged[report.number]
        if again and runs.real and plain(run):
            summary = f"the compiled function ran {times(again)} more; this was still the same"
            return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def drawn_again(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether random numbers are drawn from a key that no argument changes."""
    for run in runs.everything:
        ran, constant, varying = run.draws.get(report.number, (0, 0, 0))
        if constant and (ran > 1 or not runs.real):
            draws = f"{constant} draw{'' if constant == 1 else 's'} of random numbers"
            summary = f"{draws} in the program depend on no argument: the same in each of "
            summary += f"{ran} calls" if ran > 1 else "its calls"
            return Finding(CONFIRMED, {"summary": summary, "draws": constant, "calls": ran})
        if varying and not constant and runs.real and plain(run):
            summary = "every draw of random numbers depends on an argument of the program"
            return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def drawn_equally(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether the same call has drawn the same random numbers again."""
    for run in runs.everything:
        for row in sorted(places.rows(report)):
            further, again, outside = run.drawn_here.get((report.filename, row), (0, 0, 0))
            if again:
                summary = "it drew the same numbers as the same call of the function had drawn, "
                summary += times(again)
                return Finding(CONFIRMED, {"summary": summary, "draws": again})
            if outside:
                summary = "the body of the loop draws with a key from outside: the same numbers in "
                summary += "each iteration"
                return Finding(CONFIRMED, {"summary": summary})
            if further and runs.real and plain(run):
                summary = f"it drew {times(further)} more, each time with another key or shape"
                return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def change_lost(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether the change of a container is seen by nobody."""
    number = report.number
    for run in runs.traced:
        if number in run.returned and number not in run.lost:
            if runs.real and plain(run):
                summary = f"`{run.returned[number]}`, or what was stored, is returned"
                return Finding(REFUTED, {"summary": summary})
            continue
        if number not in run.lost:
            continue
        name = run.lost[number]
        if runs.eager is not None and number in runs.eager.callers:
            summary = f"without jit, the caller's `{name}` changes; under jit the trace changes a "
            summary += "container of its own, which is not returned"
            return Finding(CONFIRMED, {"summary": summary})
        if not runs.real and number in run.arguments_changed:
            summary = f"the trace changes `{name}`, which JAX has made for it, and which is not "
            summary += "returned"
            return Finding(CONFIRMED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def truncated(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether JAX gives a smaller dtype than it is asked for."""
    for run in runs.everything:
        asked, given = run.dtypes.get(report.number, ("", ""))
        here = [run.truncated.get((report.filename, row)) for row in places.rows(report)]
        # A dtype may have its name in one place, and be asked for in another.
        elsewhere = [text for text in run.truncated.values() if f" {asked} " in text]
        told = [text for text in here if text] or (elsewhere if asked != given else [])
        if told:
            return Finding(CONFIRMED, {"summary": f"JAX says: {told[0]}", "dtype": given or None})
        if asked and asked == given and runs.real and plain(run):
            return Finding(REFUTED, {"summary": f"JAX has {asked} here"})
    return Finding(NOT_REACHED, {})
