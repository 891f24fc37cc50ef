"""From what runs recorded to verdicts, one oracle for each kind of hazard.

Nothing here runs code or imports JAX: the input is what the recorder has collected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jitlint.verify.driving.oracles.compilations import (
    compiled_after_clearing,
    compiled_again,
    compiled_for_each,
)
from jitlint.verify.driving.oracles.durations import compiled_while_measured, read_early
from jitlint.verify.driving.oracles.findings import Finding, Runs, plain, times
from jitlint.verify.driving.oracles.kept_values import (
    change_lost,
    drawn_again,
    drawn_equally,
    gone_stale,
    truncated,
)
from jitlint.verify.driving.oracles.sizes import bloated, unrolled
from jitlint.verify.driving.verdicts import (
    CONFIRMED,
    INCONCLUSIVE,
    MADE_UP_JIT,
    NOT_REACHED,
    REFUTED,
)
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.records import Raised, Report, RunRecord
from jitlint.verify.recording.sites import STORING

#: rules whose fault also occurs without any tracing
_EAGER_TOO = frozenset({"JIT205", "JIT304", "JIT305", "JIT308", "JIT309"})
#: rules of what a trace stores or keeps, which may be taken back, or end with the trace
_UNDONE = STORING | {"JIT209"}
#: rules of what fails on the host: what is made there, handed over or read
_ON_THE_HOST = frozenset({"JIT304", "JIT305", "JIT308", "JIT310"})
#: rules whose report stands where something is made, and whose fault is in the calls of that
_OF_CALLS = frozenset({"JIT309"})


def judge(report: Report, runs: Runs, places: Places, imported: RunRecord | None) -> Finding:
    """What the runs of a driver say about a report.

    Args:
      report: the report.
      runs: what was recorded.
      places: where the report stands.
      imported: what the import of the module recorded.
    """
    oracle = _OF_RULES.get(report.code) or _OF_KINDS.get(report.kind)
    if oracle is None:
        return Finding(INCONCLUSIVE, {"summary": f"no test for hazard {report.kind!r}"})
    found = oracle(report, runs, places)
    if found.verdict == REFUTED and not _came_this_way(report, runs, places, imported):
        return Finding(
            INCONCLUSIVE,
            {"summary": "the line ran without harm, but not by the way that check describes"},
        )
    # A jit of jitlint's own proves something only where all the rest is as check describes it.
    own_way = runs.by != MADE_UP_JIT or (
        bool(report.chain) and _came_this_way(report, runs, places, imported)
    )
    if found.verdict == CONFIRMED and not own_way:
        summary = f"{found.evidence['summary']}; but that was under a jit of jitlint's own, "
        summary += "and not by the way that check describes"
        return Finding(INCONCLUSIVE, {**found.evidence, "summary": summary})
    reached = any(places.reached(report, run) for run in runs.everything)
    # A decorator runs where its function is defined; what it is about are calls.
    if found.verdict == NOT_REACHED and reached and report.code not in _OF_CALLS:
        return Finding(INCONCLUSIVE, {"summary": _unharmed(runs)})
    return found


def _unharmed(runs: Runs) -> str:
    """What is said when a line ran and nothing came of it."""
    summary = "the line ran; no harm was seen"
    for title, run in (("the run", runs.traced[0]), ("the run without jit", runs.eager)):
        if run is not None and run.error is not None:
            return f"{summary} before {title} ended: {run.error}"
    return summary


def wants_eager(report: Report, runs: Runs) -> bool:
    """Whether a run without jit would help."""
    if report.kind == "raises":
        return any(_needs_counterfactual(r) for r in _raised(report, runs.traced))
    if report.code in _OF_RULES and report.code not in ("JIT210", "JIT214"):
        return False
    return report.kind in ("runs-once", "stale", "silently-wrong")


def _came_this_way(report: Report, runs: Runs, places: Places, imported: RunRecord | None) -> bool:
    """Whether every step of the report's explanation ran, so that its absence of harm counts."""
    records = [*runs.traced, *([imported] if imported else [])]
    return all(
        any(run.rows[filename, row] for run in records)
        for filename, row in report.chain
        if row in places.marked.get(filename, frozenset())
    )


# ---------------------------------------------------------------- raises


def _raised(report: Report, runs: Iterable[RunRecord]) -> list[Raised]:
    return [r for run in runs for r in run.raised if r.report == report.number]


def _needs_counterfactual(raised: Raised) -> bool:
    """Whether an exception could also come from bad inputs."""
    if raised.names_tracer:
        return False
    of_jax = raised.bases & {
        "TracerBoolConversionError",
        "TracerIntegerConversionError",
        "TracerArrayConversionError",
        "ConcretizationTypeError",
        "NonConcreteBooleanIndexError",
    }
    return not of_jax


def _raises(report: Report, runs: Runs, places: Places) -> Finding:
    found = sorted(_raised(report, runs.traced), key=lambda r: (r.substituted, not r.traced))
    if found and _is_handled(report, runs):
        summary = f"raises {found[0].exception}, which the traced code catches: the trace goes on"
        return Finding(REFUTED if runs.real else INCONCLUSIVE, {"summary": summary})
    for raised in found:
        cured = any(report.number in run.cured for run in runs.traced)
        # Without jit nothing is given away.
        cured |= report.code == "JIT310" and "deleted" in raised.message
        if cured or report.code in _EAGER_TOO or not _needs_counterfactual(raised):
            return Finding(CONFIRMED, _exception(raised))
        fails, why = _fails_eagerly(report, runs, places, raised)
        if not fails:
            return Finding(
                CONFIRMED, {**_exception(raised), "eager": "the same call works without tracing"}
            )
        if raised is found[-1]:
            return Finding(INCONCLUSIVE, {**_exception(raised), "summary": why})
    if any(_harmless(report, run, places) for run in runs.traced if plain(run)):
        operand = runs.traced[0].shown.get(report.number, ["a value"])[0]
        host = report.code in _ON_THE_HOST
        where = "without an error" if host else "under tracing without an error"
        summary = f"ran {where}; its value was {operand}"
        verdict = REFUTED if runs.real else INCONCLUSIVE
        return Finding(verdict, {"summary": summary})
    if runs.real and _never_asked(report, runs, places):
        summary = "the line ran under tracing, and what is reported was never evaluated: "
        summary += "something before it decides"
        return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def _is_handled(report: Report, runs: Runs) -> bool:
    """Whether the traced code has caught what a place raises, each time that it was let out."""
    ran = [*runs.traced, *([] if runs.natural is None else [runs.natural])]
    return any(report.number in run.handled for run in ran) and not any(
        report.number in run.escaped for run in ran
    )


def _never_asked(report: Report, runs: Runs, places: Places) -> bool:
    """Whether traces ran the statement of an expression to its end, and never came to that."""
    if places.located.get(report.number) not in ("value", "call", "item"):
        return False
    ran = [run for run in runs.everything if places.reached(report, run)]
    traced = any(
        run.traced_rows[report.filename, row] for run in ran for row in places.rows(report)
    )
    return traced and all(plain(run) and not run.evaluated[report.number] for run in ran)


def _fails_eagerly(report: Report, runs: Runs, places: Places, raised: Raised) -> tuple[bool, str]:
    eager = runs.eager
    if eager is None:
        return True, "there was no run without jit to compare with"
    if any(r.report == report.number for r in eager.raised):
        return True, f"raises {raised.exception} also without jit, so these inputs are to blame"
    if not places.reached(report, eager):
        return True, f"raises {raised.exception}; without jit the line was not reached"
    return False, ""


def _exception(raised: Raised) -> dict[str, Any]:
    row, column = raised.span[:2]
    evidence: dict[str, Any] = {
        "summary": f"raises {raised.exception}: {raised.message}",
        "exception": raised.exception,
        "message": raised.message,
        "location": {"row": row, "column": column},
    }
    if raised.substituted:
        evidence["substituted"] = True
    return evidence


def _harmless(report: Report, run: RunRecord, places: Places) -> bool:
    if report.code in _ON_THE_HOST:
        # It is done on the host, and was not refused.
        return run.evaluated[report.number] > 0
    ran = run.evaluated_traced[report.number]
    if places.located.get(report.number) == "value":
        return ran > run.abstract[report.number]
    ways = ("call", "item", "store") if report.code == "JIT205" else ("call", "item")
    return places.located.get(report.number) in ways and ran > 0


# ---------------------------------------------------------------- silent hazards


def leaks(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether what a trace has stored into holds a tracer after it."""
    undone = _undone(report, runs)
    for run in [*runs.traced, *runs.repeated]:
        if report.number in run.leaks:
            evidence = {"summary": run.leaks[report.number]}
            return Finding(CONFIRMED, evidence | ({"substituted": True} if run.substituted else {}))
    for run in runs.traced:
        if runs.real and plain(run) and report.number in run.clean:
            summary = f"`{run.clean[report.number]}` is alive after the trace, and holds no tracer"
            return Finding(REFUTED, {"summary": summary})
    return undone or Finding(NOT_REACHED, {})


def _undone(report: Report, runs: Runs) -> Finding | None:
    """What says that the effect on an object is none: it is as it was, or gone with the trace."""
    if report.code not in _UNDONE:
        # What is written or printed is not undone by the end of what it was written with.
        return None
    number = report.number
    verdict = REFUTED if runs.real else INCONCLUSIVE
    ended = [run for run in runs.everything if run.error is None and not run.substituted]
    if any(number in run.altered for run in runs.everything):
        return None
    if any(number in run.restored for run in ended):
        summary = "what the trace stores into is as it was before, once the trace has ended"
        return Finding(verdict, {"summary": summary})
    gone = [run.gone[number] for run in ended if number in run.gone]
    if gone and not any(number in run.clean for run in runs.everything):
        summary = f"`{gone[0]}`, which the trace stores into, ends with it"
        return Finding(verdict, {"summary": summary})
    return None


def runs_once(report: Report, runs: Runs, places: Places) -> Finding:
    """Whether what stands at a place is done by the trace alone."""
    stale = report.kind == "stale"
    harmless = _of_the_program(report, runs) or _undone(report, runs)
    if harmless is not None:
        return harmless
    if len(runs.repeated) >= 2:
        counts = [places.count(report, run) for run in runs.repeated]
        ended = all(run.error is None for run in runs.repeated)
        if counts[0] and not any(counts[1:]) and ended:
            others = " and ".join(str(n) for n in counts[1:])
            summary = f"ran {times(counts[0])} in the first call, {others} in the next, with "
            summary += "other values of the same shapes"
            evidence: dict[str, Any] = {"summary": summary, "executions": counts}
            if stale:
                evidence |= _frozen(report, runs)
            return Finding(CONFIRMED, evidence)
    first = runs.traced[0] if runs.traced else None
    if first is not None and runs.eager is not None and runs.eager.error is None:
        compiled, eager = places.count(report, first), places.count(report, runs.eager)
        if 0 < compiled < eager and first.error is None:
            summary = f"ran {times(compiled)} while tracing, {times(eager)} without jit"
            evidence = {"summary": summary, "executions": [compiled], "eager_executions": eager}
            if stale:
                evidence |= _frozen(report, runs)
            return Finding(CONFIRMED, evidence)
    for run in [*runs.traced, *runs.repeated]:
        if run.replayed.get(report.number) == 0:
            summary = "ran while tracing; running the compiled function again does not run it"
            return Finding(
                CONFIRMED, {"summary": summary} | (_frozen(report, runs) if stale else {})
            )
    later = runs.repeated[1:]
    if runs.real and later and all(_traced_anew(report, run, places) for run in later):
        summary = "ran in every call, although nothing was traced again for later use"
        counts = [places.count(report, run) for run in runs.repeated]
        return Finding(REFUTED, {"summary": summary, "executions": counts})
    return Finding(NOT_REACHED, {})


def _of_the_program(report: Report, runs: Runs) -> Finding | None:
    """What says that the program does it, each time that it runs: it is JAX's, or is traced."""
    number = report.number
    for run in runs.traced:
        if number in run.of_jax:
            summary = f"it calls {run.of_jax[number]}, which is part of the program"
        elif plain(run) and 0 < run.evaluated_traced[number] == run.abstract[number]:
            summary = "its value is traced: it is a part of the program"
        else:
            continue
        return Finding(REFUTED if runs.real else INCONCLUSIVE, {"summary": summary})
    return None


def _traced_anew(report: Report, run: RunRecord, places: Places) -> bool:
    """Whether a trace ran the line in a run for which nothing new was made to be kept.

    That is how derivatives and ``vmap`` alone run: their Python runs in every call.
    """
    ran = run.evaluated_traced[report.number] or max(
        (run.traced_rows[report.filename, row] for row in places.rows(report)), default=0
    )
    return plain(run) and ran > 0 and run.traces == 0


def _frozen(report: Report, runs: Runs) -> dict[str, Any]:
    shown = [*runs.traced[0].shown.get(report.number, ())[:1]]
    if runs.eager is not None:
        shown += runs.eager.shown.get(report.number, ())[:2]
    return {"values": shown}


def _silently_wrong(report: Report, runs: Runs, places: Places) -> Finding:
    if report.code == "JIT113":
        for raised in _raised(report, runs.traced):
            summary = f"{raised.exception} is raised and swallowed here: "
            summary += "the handler runs whatever the value"
            return Finding(CONFIRMED, {**_exception(raised), "summary": summary})
        return Finding(NOT_REACHED, {})
    if report.code == "JIT106":
        for raised in _raised(report, runs.traced):
            summary = f"NumPy swallows {raised.exception}: the result is the same for all values"
            return Finding(CONFIRMED, {**_exception(raised), "summary": summary})
    if report.code == "JIT212":
        for run in runs.everything:
            if run.dropped.get(report.number):
                return Finding(CONFIRMED, {"summary": run.dropped[report.number]})
        return Finding(NOT_REACHED, {})
    return _differs_eagerly(report, runs)


def _differs_eagerly(report: Report, runs: Runs) -> Finding:
    """Compare what a condition comes to under jit and without.

    Only as sets: a compiled function does not evaluate it again, so that the two runs need not
    have as many values.
    """
    eager = runs.eager.shown.get(report.number, []) if runs.eager is not None else []
    for run in runs.traced:
        traced = run.shown.get(report.number, [])
        if not traced or not eager or not run.evaluated_traced[report.number]:
            continue
        if set(traced) != set(eager):
            summary = f"is {_either(traced)} under jit and {_either(eager)} without, "
            summary += "on the same inputs"
            return Finding(CONFIRMED, {"summary": summary, "jit": traced, "eager": eager})
        # Other conditions may be the same for these inputs and differ for others.
        fixed = report.code == "JIT112" and runs.real and plain(run)
        if fixed and runs.eager is not None and plain(runs.eager):
            summary = f"is {_either(traced)} under jit and without, on the same inputs"
            return Finding(REFUTED, {"summary": summary})
    return Finding(NOT_REACHED, {})


def _either(values: Sequence[str]) -> str:
    return " or ".join(dict.fromkeys(values))


def _advanced_once(report: Report, runs: Runs, places: Places) -> Finding:
    """The iterator must outlive the trace: one that is made there is advanced as often as it is."""
    if any(report.number in run.outlived for run in runs.everything):
        return runs_once(report, runs, places)
    return Finding(NOT_REACHED, {})


_Oracle = Callable[[Report, Runs, Places], Finding]

_OF_KINDS: dict[str, _Oracle] = {
    "raises": _raises,
    "leaks": leaks,
    "runs-once": runs_once,
    "stale": runs_once,
    "recompiles": compiled_again,
    "silently-wrong": _silently_wrong,
    "unrolls": unrolled,
    "mismeasured": read_early,
    "bloats": bloated,
}
#: of rules whose harm shows in a way of its own
_OF_RULES: dict[str, _Oracle] = {
    "JIT208": gone_stale,
    "JIT210": _advanced_once,
    "JIT213": drawn_again,
    "JIT214": change_lost,
    "JIT215": drawn_equally,
    "JIT306": compiled_for_each,
    "JIT307": compiled_for_each,
    "JIT311": gone_stale,
    "JIT313": compiled_after_clearing,
    "JIT402": compiled_while_measured,
    "JIT403": truncated,
}
