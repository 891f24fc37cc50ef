"""Faults that runs have shown and that nothing reports.

What a tracer raises in a call of the user's is always told.  An audit looks further: for silent
faults, at the places that ``jitlint.verify.driving.suspicions`` has found, by the oracles that
judge reports; and at what calls with made-up inputs do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from jitlint.verify.driving.job import Job
from jitlint.verify.driving.judging import Emit
from jitlint.verify.driving.modules import is_test_file
from jitlint.verify.driving.oracles.compilations import compiled_again
from jitlint.verify.driving.oracles.durations import compiled_while_measured, read_early
from jitlint.verify.driving.oracles.findings import Finding, Runs, plain, times
from jitlint.verify.driving.oracles.kept_values import drawn_again, gone_stale
from jitlint.verify.driving.oracles.of_rules import leaks, runs_once
from jitlint.verify.driving.reproducers import REPEATED
from jitlint.verify.driving.verdicts import CONFIRMED
from jitlint.verify.recording.places import Places, is_of_jax_library
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Compiled, Raised, Report, RunRecord
from jitlint.verify.recording.sites import Span

#: in how many drivers a place is looked at before it is taken for harmless
_MOST_LOOKS = 4
#: from how many functions on that a place makes, it makes them again and again
_AGAIN = 3
#: how often one run may compile a function at one place
_MANY = 4
#: what JAX calls the programs of eager control flow
_CONTROL_FLOW = frozenset({"scan", "while", "cond"})
#: what nobody would call a function with: the caller is to blame for that
_IMPLAUSIBLE = {"NonConcreteBooleanIndexError": "a traced mask as an index"}

_Oracle = Callable[[Report, Runs, Places], Finding]
#: what may be the matter with a suspected place, by the rule that it stands for
_ORACLES: dict[str, tuple[tuple[str, _Oracle], ...]] = {
    **dict.fromkeys(("JIT201", "JIT206"), (("", runs_once),)),
    **dict.fromkeys(("JIT202", "JIT203", "JIT204"), (("", leaks), ("", runs_once))),
    "JIT207": (
        ("", runs_once),
        ("JIT401", read_early),
        ("JIT402", compiled_while_measured),
    ),
    "JIT208": (("", gone_stale),),
    "JIT210": (("", runs_once),),
    "JIT213": (("", drawn_again),),
    "JIT303": (("", compiled_again),),
}
#: rules whose place matters only if what is stored into outlives the trace
_OUTLIVING = frozenset({"JIT202", "JIT204", "JIT210"})
_MEASURED = frozenset({"JIT401", "JIT402"})


class Audit:
    """Tells the parent of faults that nothing reports.

    Args:
      job: what to do.
      recorder: knows the places.
      emit: sends an object to the parent.
    """

    def __init__(self, job: Job, recorder: Recorder, emit: Emit) -> None:
        self._job = job
        self._recorder = recorder
        self._emit = emit
        self._looks: Counter[int] = Counter()
        self._told: set[int] = set()

    # -- which runs it needs ----------------------------------------------------------------------

    def suspects(self, runs: Runs) -> list[Report]:
        """The suspected places that are open, and that a driver has come to."""
        places = self._recorder.places
        return [
            report
            for report in places.suspected
            if report.number not in self._told
            and self._looks[report.number] < _MOST_LOOKS
            and any(places.count(report, run) for run in runs.traced)
        ]

    def wants_repetition(self, runs: Runs) -> bool:
        """Whether a driver has to be run some more, with nothing forgotten in between."""
        return any(r.kind in REPEATED and self._in_trace(r, runs) for r in self.suspects(runs))

    def wants_eager(self, runs: Runs) -> bool:
        """Whether a run without jit would help."""
        if not self._job.audit:
            return False
        if not runs.real and any(run.raised for run in runs.traced):
            return True
        kinds = ("runs-once", "stale")
        return any(r.kind in kinds and self._in_trace(r, runs) for r in self.suspects(runs))

    # -- what they have shown ---------------------------------------------------------------------

    def look(self, runs: Runs) -> None:
        """Tell what the runs of a driver have shown."""
        if runs.real or self._job.audit:
            self._look_at_errors(runs)
        if not self._job.audit:
            return
        for report in self.suspects(runs):
            self._looks[report.number] += 1
            for code, kind, summary in self._judge(report, runs):
                self._told.add(report.number)
                self._tell(report.filename, report.span, code, kind, summary, runs)
        for run in runs.traced[:1]:
            self._look_at_programs(run, runs)
            self._look_at_dtypes(run, runs)

    def _judge(self, report: Report, runs: Runs) -> Iterator[tuple[str, str, str]]:
        """The rule, the kind of the hazard and the words of each suspicion that is confirmed."""
        places = self._recorder.places
        for other, oracle in _ORACLES[report.code]:
            code = other or report.code
            if report.kind == "leaks" and oracle is not leaks:
                continue
            if code not in _MEASURED and not self._in_trace(report, runs, oracle):
                continue
            # Calls of one driver count: each driver may make its own functions.
            shown = replace(runs, repeated=[]) if oracle is compiled_again else runs
            found = oracle(report, shown, places)
            if found.evidence.get("iterations", _AGAIN) < _AGAIN:
                continue
            if found.verdict == CONFIRMED:
                kind = "leaks" if oracle is leaks else report.kind
                kind = "mismeasured" if code in _MEASURED else kind
                yield code, kind, str(found.evidence["summary"])
                if oracle is leaks:
                    return

    def _in_trace(self, report: Report, runs: Runs, oracle: _Oracle | None = None) -> bool:
        """Whether a trace came to a place, for what matters in traces only."""
        if report.code == "JIT303" or oracle is compiled_again:
            return True
        outlives = report.code in _OUTLIVING and oracle is not leaks
        return any(
            run.evaluated_traced[report.number] and (not outlives or report.number in run.outlived)
            for run in runs.traced
        )

    def _look_at_errors(self, runs: Runs) -> None:
        """The faults of tracers that no report stands at."""
        for raised in (raised for run in runs.traced for raised in run.raised):
            if raised.report is not None or raised.substituted or not raised.by_tracer:
                continue
            if raised.swallowed is not None:
                continue
            summary = f"raises {raised.exception}: {raised.message}"
            implausible = None if runs.real else self._implausible(raised, runs)
            where = (raised.filename, raised.span)
            self._tell(*where, None, "raises", summary, runs, implausible, raised)

    def _implausible(self, raised: Raised, runs: Runs) -> str | None:
        """Why inputs that were made up are none that a user would pass."""
        if raised.exception in _IMPLAUSIBLE:
            return _IMPLAUSIBLE[raised.exception]
        if runs.eager is not None and runs.eager.error is not None:
            return f"without jit, the same call ends with {runs.eager.error}"
        return None

    def _look_at_programs(self, run: RunRecord, runs: Runs) -> None:
        """Functions of the user's code that one place has had compiled again and again.

        Between two statements of a test, that is: what a test does in a loop is no fault.
        """
        for compiled, number in run.compiled_at.items():
            filename, row = compiled.at
            if number < _MANY or is_test_file(filename) or not plain(run):
                continue
            if self._is_of_user(compiled):
                summary = f"`{compiled.name}` was compiled {times(number)} here in one run"
                self._tell(filename, (row, 1, row, 1), "JIT3", "recompiles", summary, runs)

    def _is_of_user(self, compiled: Compiled) -> bool:
        """Whether a program is one of the user's functions, or of eager control flow over them.

        JAX has functions with names that users choose, too: where they stand tells them apart.
        Other libraries wrap the user's functions and keep their names.
        """
        places = self._recorder.places
        if compiled.name in _CONTROL_FLOW:
            return True
        if compiled.function is not None and compiled.function[0] in places.lines:
            return True
        if compiled.function is not None and is_of_jax_library(compiled.function[0]):
            return False
        return compiled.name == "<lambda>" or compiled.name in places.functions

    def _look_at_dtypes(self, run: RunRecord, runs: Runs) -> None:
        """Dtypes that were asked for, and that JAX does not have without x64."""
        for (filename, row), text in run.truncated.items():
            # What other libraries ask for is theirs.
            if (filename, row) in run.asked_directly and not is_test_file(filename):
                span = (row, 1, row, 1)
                summary = f"JAX says: {text}"
                self._tell(filename, span, "JIT403", "silently-wrong", summary, runs)

    def _tell(
        self,
        filename: str,
        span: Span,
        code: str | None,
        kind: str,
        summary: str,
        runs: Runs,
        implausible: str | None = None,
        raised: Raised | None = None,
    ) -> None:
        if any(self._reported(filename, span)):
            return
        row, column, end_row, end_column = span
        self._emit(
            {
                "missed": {
                    "filename": filename,
                    "location": {"row": row, "column": column},
                    "end_location": {"row": end_row, "column": end_column},
                    "rule": code,
                    "kind": kind,
                    "summary": summary,
                    "exception": None if raised is None else raised.exception,
                    "message": None if raised is None else raised.message,
                    "implausible": implausible,
                    "backend": self._job.platform,
                    "inputs": runs.name,
                    "by": runs.by,
                }
            }
        )

    def _reported(self, filename: str, span: Span) -> Iterator[bool]:
        for name, first, last in self._job.everything:
            yield name == filename and first <= span[2] and span[0] <= last


def merged(missed: list[dict[str, Any]], found: dict[str, Any]) -> None:
    """Take in what was missed; where the same is known already, count it.

    Args:
      missed: all that is known, the likely before the implausible.
      found: what was seen.
    """
    same = ("filename", "location", "rule", "exception", "backend")
    for known in missed:
        if all(known[name] == found[name] for name in same) and known.get("cell") == found.get(
            "cell"
        ):
            known["seen"] += 1
            if known["implausible"] is not None and found["implausible"] is None:
                known |= {**found, "seen": known["seen"]}
            return
    missed.append({**found, "seen": 1})
