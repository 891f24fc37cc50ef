"""Oracles of recompilation: what was compiled again, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitlint.verify.driving.oracles.findings import Finding, Runs, plain, times
from jitlint.verify.driving.verdicts import CONFIRMED, INCONCLUSIVE, NOT_REACHED, REFUTED
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.records import CompiledCall, Report

#: how many calls say that nothing is compiled again
_ENOUGH = 3
#: how many names of programs are told
_MOST_NAMES = 5


def compiled_again(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether a place compiles again for what it has compiled before."""
    calls: list[tuple[int, CompiledCall]] = [
        (number, call)
        for number, run in enumerate([*runs.traced[:1], *runs.repeated])
        for call in run.compiled.get(report.number, ())
    ]
    grouped: dict[tuple[int, str], list[tuple[int, CompiledCall]]] = {}
    for run, call in calls:
        # Within one run if that has several such calls, else one call of each run.
        for key in ((run, call.signature), (-1, call.signature)):
            known = grouped.setdefault(key, [])
            if all((run, call.made) != (other, seen.made) for other, seen in known):
                known.append((run, call))
    for first_calls in (grouped[key] for key in sorted(grouped, key=lambda key: key[0] < 0)):
        if len(first_calls) < 2:
            continue
        made = [call for _, call in first_calls]
        again = [call for call in made[1:] if call.compilations]
        if len(again) == len(made) - 1:
            return Finding(CONFIRMED, _cost(made))
        if not any(call.traces or call.compilations for call in made[1:]):
            summary = f"made {len(made)} times, compiled once: the cache serves it"
            return Finding(REFUTED if runs.real else INCONCLUSIVE, {"summary": summary})
    return Finding(NOT_REACHED, {})


def _cost(made: Sequence[CompiledCall]) -> dict[str, Any]:
    spent = [round(call.milliseconds, 2) for call in made]
    hoisted = [c.hoisted_milliseconds for c in made if c.hoisted_milliseconds is not None]
    evidence: dict[str, Any] = {
        "iterations": len(made),
        "compilations": sum(call.compilations for call in made),
        "traces": sum(call.traces for call in made),
        "milliseconds": spent,
    }
    average = sum(spent) / len(spent)
    summary = f"compiled anew in each of {len(made)} calls, {average:.1f} ms each"
    if hoisted:
        evidence["hoisted_milliseconds"] = [round(value, 3) for value in hoisted]
        summary += f"; made once, a call takes {sorted(hoisted)[len(hoisted) // 2]:.2f} ms"
    return {"summary": summary, **evidence}


def compiled_for_each(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether one place compiles for every value or shape that comes along."""
    for run in runs.traced[:1]:
        calls = run.compiled.get(report.number, [])
        compiled = [call for call in calls if call.compilations]
        kinds = list(dict.fromkeys(call.signature for call in compiled))
        if len(kinds) > 1:
            spent = [round(call.milliseconds, 2) for call in compiled]
            summary = f"compiled in {len(compiled)} of {len(calls)} calls, for {len(kinds)} "
            summary += f"different kinds of arguments, {sum(spent) / len(spent):.1f} ms each"
            return Finding(
                CONFIRMED,
                {
                    "summary": summary,
                    "calls": len(calls),
                    "compilations": sum(call.compilations for call in compiled),
                    "milliseconds": spent,
                },
            )
        shapes = list(dict.fromkeys(call.shapes for call in calls))
        if report.code == "JIT307" and len(shapes) > 1:
            # Everything was forgotten before the run: what is not compiled here, another place had
            # compiled.
            summary = f"called with {len(shapes)} different shapes, each of which is compiled; "
            summary += f"{times(len(compiled))} here, the others at another place of the same run"
            return Finding(CONFIRMED, {"summary": summary, "calls": len(calls)})
        if len(calls) >= _ENOUGH and len(compiled) < 2 and runs.real and plain(run):
            served = "once" if compiled else "not at all"
            return Finding(REFUTED, {"summary": f"called {len(calls)} times, compiled {served}"})
    return Finding(NOT_REACHED, {})


def compiled_after_clearing(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether what a place clears is compiled again."""
    for run in runs.traced[:1]:
        visits = run.cleared.get(report.number, [])
        again: dict[str, int] = {}
        for position, before in enumerate(visits):
            after = visits[position + 1] if position + 1 < len(visits) else run.programs
            for name, number in (after - before).items():
                # Only what the run has compiled itself was there to be cleared.
                if before[name] > run.programs_before[name]:
                    again[name] = again.get(name, 0) + number
        if again:
            names = sorted(again, key=lambda name: -again[name])[:_MOST_NAMES]
            told = ", ".join(f"`{name}` {times(again[name])}" for name in names)
            summary = f"cleared {times(len(visits))}; compiled again since: {told}"
            return Finding(CONFIRMED, {"summary": summary, "compilations": sum(again.values())})
        if len(visits) > 1 and runs.real and plain(run):
            summary = f"cleared {times(len(visits))}; nothing was compiled again"
            return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})
