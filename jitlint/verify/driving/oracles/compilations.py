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
#: what is said of calls under a trace
_INLINED = "called while something else is traced only, whose program it becomes a part of"
#: how many names of programs are told
_MOST_NAMES = 5


def compiled_again(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether a place compiles again for what it has compiled before."""
    calls: list[tuple[int, CompiledCall]] = [
        (number, call)
        for number, run in enumerate(runs.with_jit)
        for call in run.compiled.get(report.number, ())
    ]
    loops = places.turning.get(report.number, ())
    looped = any(run.rows[place] for run in runs.everything for place in loops)
    grouped: dict[tuple[int, str], list[tuple[int, CompiledCall]]] = {}
    for run, call in calls:
        # Within one run if that has several such calls, else one call of each run: but programs do
        # not run twice in a process, and what a loop does it does in one run.
        keys = [(run, call.signature)]
        if not (runs.program or looped):
            keys.append((-1, call.signature))
        for key in keys:
            known = grouped.setdefault(key, [])
            if all((run, call.made) != (other, seen.made) for other, seen in known):
                known.append((run, call))
    for first_calls in (grouped[key] for key in sorted(grouped, key=lambda key: key[0] < 0)):
        if len(first_calls) < 2:
            continue
        made = [call for _, call in first_calls]
        compiled = [call for call in made if call.compilations]
        # What was not seen may be the same.
        programs = {call.program or "?" for call in compiled}
        if len(compiled) > len(programs) or (made[0] not in compiled and made[1] in compiled):
            return Finding(CONFIRMED, _cost(made))
        if not any(call.traces or call.compilations for call in made[1:]):
            summary = f"made {len(made)} times, compiled once: the cache serves it"
            return Finding(REFUTED if runs.real else INCONCLUSIVE, {"summary": summary})
    return _compiled_no_more(report, runs, places) or Finding(NOT_REACHED, {})


def _compiled_no_more(report: Report, runs: Runs, places: Places) -> Finding | None:
    """What says that no call of one run has compiled what another had compiled."""
    verdict = REFUTED if runs.real else INCONCLUSIVE
    for run in runs.traced[:1]:
        number, calls = report.number, run.compiled.get(report.number, [])
        if not plain(run):
            continue
        if run.inlined[number] and not calls:
            return Finding(verdict, {"summary": _INLINED})
        first = {call.made: call for call in reversed(calls)}.values()
        different = {(call.signature, call.program) for call in first if call.program}
        if len(first) > 1 and len(different) == len(first):
            return Finding(verdict, {"summary": _others(len(first))})
        turns = max((run.rows[place] for place in places.turning.get(number, ())), default=0)
        compiled = [call for call in calls if call.compilations]
        if calls and len(first) == 1 and len(compiled) < 2 and turns > 1:
            summary = f"compiled once, while the loop ran {times(turns)}"
            return Finding(verdict, {"summary": summary})
        if calls and run.made[number] == 1 and runs.program and report.code == "JIT303":
            return Finding(verdict, {"summary": "made once in the whole run of the program"})
    return None


def _others(number: int) -> str:
    summary = f"made {times(number)}, and each time another program was compiled: no other call "
    return f"{summary}could have used it"


def _cost(made: Sequence[CompiledCall]) -> dict[str, Any]:
    spent = [round(call.milliseconds, 2) for call in made]
    hoisted = [c.hoisted_milliseconds for c in made if c.hoisted_milliseconds is not None]
    evidence: dict[str, Any] = {
        "iterations": len(made),
        "compilations": sum(call.compilations for call in made),
        "traces": sum(call.traces for call in made),
        "milliseconds": spent,
    }
    compiled = [call.milliseconds for call in made if call.compilations]
    often = "each" if len(compiled) == len(made) else f"{len(compiled)}"
    average = sum(compiled) / len(compiled)
    summary = f"compiled anew in {often} of {len(made)} calls, {average:.1f} ms each"
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
        if run.inlined[report.number] and not calls and runs.real and plain(run):
            return Finding(REFUTED, {"summary": _INLINED})
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
