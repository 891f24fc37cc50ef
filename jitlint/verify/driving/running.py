"""Running a driver in every way that its reports need.

Runs in a child process only.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections import Counter
from collections.abc import Collection
from typing import Any

from jitlint.verify.driving.auditing import Audit
from jitlint.verify.driving.drivers import Driver
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.judging import Emit, Judge
from jitlint.verify.driving.loading import Modules
from jitlint.verify.driving.module_state import ModuleState
from jitlint.verify.driving.oracles import of_rules
from jitlint.verify.driving.oracles.findings import Runs
from jitlint.verify.driving.reproducers import REPEATED
from jitlint.verify.driving.time_limit import TimeUp, time_limit
from jitlint.verify.recording.branches import Branches
from jitlint.verify.recording.exceptions import described
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report, RunRecord

#: how many made-up calls that come to a report are looked at in every way: in all, and of one
#: callable
_MOST_LOOKS, _MOST_LOOKS_AT_ONE = 16, 4
#: how many branches of one driver have their turn
_MOST_RUNS = 24
#: rules of which something shows only where a function is traced and compiled
_SEEN_IN_TRACES = frozenset(
    "JIT112 JIT208 JIT209 JIT213 JIT214 JIT306 JIT307 JIT311 JIT312 JIT313 JIT314 JIT402".split()
)
#: how long a driver may run that says nothing else
DRIVER_SECONDS = 20.0


class Runner:
    """Runs drivers for a job.

    Args:
      job: what to do.
      recorder: sees what they do.
      judge: draws conclusions from it.
      audit: looks for what is not reported.
      emit: sends an object to the parent.
      modules: the project's modules.
    """

    def __init__(
        self,
        job: Job,
        recorder: Recorder,
        judge: Judge,
        audit: Audit,
        emit: Emit,
        modules: Modules,
    ) -> None:
        self._reports = job.reports
        self._recorder = recorder
        self._judge = judge
        self._audit = audit
        self._audits = job.audit
        self._emit = emit
        self._modules = modules
        self.state = ModuleState()
        self._looks: Counter[tuple[int, str | None]] = Counter()
        self._pid = os.getpid()

    def execute(self, driver: Driver) -> Runs:
        """Run a driver in every way that its reports need, and judge.

        A fault of jitlint's own, or an alarm that goes off late, costs this driver only.
        """
        runs = Runs(driver.name, driver.real, driver.by, driver.code, program=driver.program)
        try:
            self._execute(driver, runs)
        except (Exception, TimeUp) as error:
            if isinstance(error, Exception):
                self.tell_failure(driver.name, error)
        if not runs.traced:
            runs.traced.append(RunRecord(error="it could not be run"))
        return runs

    def tell_failure(self, name: str, error: Exception) -> None:
        """Tell the parent of a fault of jitlint's own."""
        self._emit({"failure": f"jitlint failed on {name}: {described(error)}"})

    def probe(self, driver: Driver) -> RunRecord:
        """Run a driver once, without judging what it does.

        The call need not be one that a user could make.
        """
        self._recorder.pooling = False
        try:
            run = self._invoke(driver, 0)
        except TimeUp:
            return RunRecord(error="it takes too long")
        if run.substituted or run.error is None:
            # What was traced for it must be traced again for a call that counts.
            real_jax().clear_caches()
        return run

    def _execute(self, driver: Driver, runs: Runs) -> None:
        jax = real_jax()
        judge, recorder = self._judge, self._recorder

        self._emit({"start": driver.name})
        recorder.pooling = driver.real
        seen_in_traces = any(r.code in _SEEN_IN_TRACES and judge.unsettled(r) for r in judge.own)
        if seen_in_traces or self._audits:
            jax.clear_caches()
        if any(r.code == "JIT209" and judge.unsettled(r) for r in judge.own):
            _forget_cached(recorder.places.lines)
        dirty = self._take_branches(driver, runs)
        if any(run.catchable - run.handled - run.escaped for run in runs.traced):
            jax.clear_caches()
            runs.natural = self._invoke(driver, 0, natural=True)
            dirty = True
        met = [report for report in self._reports if report.filename in recorder.places.lines]
        touched = [r for r in met if self._touched(r, runs)]
        # What the first run has shown needs no other.
        judge.judge(touched, runs, early=True)
        touched = [r for r in touched if self._is_open(r, runs, driver.label)]
        if any(r.kind in REPEATED for r in touched) or self._audit.wants_repetition(runs):
            self._repeat(driver, runs, dirty=dirty)
            dirty |= any(run.substituted for run in runs.repeated)
            judge.judge(touched, runs)
            touched = [r for r in touched if judge.unsettled(r)]
        if any(of_rules.wants_eager(r, runs) for r in touched) or self._audit.wants_eager(runs):
            runs.eager = self._invoke(driver, 0, eager=True)
        if dirty:
            jax.clear_caches()
        judge.judge(met, runs)
        self._audit.look(runs)

    def is_seen_through(self, report: Report, name: str | None = None) -> bool:
        """Whether made-up calls have come to a report, and shown nothing, often enough.

        Args:
          report: the report.
          name: of what is called; None for all that was called.
        """
        most = _MOST_LOOKS if name is None else _MOST_LOOKS_AT_ONE
        return self._looks[report.number, name] >= most

    def _is_open(self, report: Report, runs: Runs, name: str) -> bool:
        """Whether a report that a run has come to is to be looked at further."""
        if not self._judge.unsettled(report):
            return False
        if runs.real or report.kind == "raises":
            return True
        if runs.traced[0].error is not None:
            # What a program does when it runs again is not seen of one that does not run.
            return report.kind not in ("runs-once", "stale")
        if self.is_seen_through(report) or self.is_seen_through(report, name):
            return False
        self._looks[report.number, name] += 1
        self._looks[report.number, None] += 1
        return True

    def _repeat(self, driver: Driver, runs: Runs, *, dirty: bool) -> None:
        """Run a driver three times, with nothing forgotten in between."""
        first = runs.traced[0]
        if dirty or len(runs.traced) > 1 or first.error is not None:
            real_jax().clear_caches()
            first = self._invoke(driver, 0)
        runs.repeated.append(first)
        for turn in (1, 2):
            runs.repeated.append(self._invoke(driver, turn, again=True))

    def _take_branches(self, driver: Driver, runs: Runs) -> bool:
        """Run a driver until each branch has had its turn; whether a substitute was needed."""
        judge, branches, dirty = self._judge, Branches(), False
        for _ in range(_MOST_RUNS):
            run = self._invoke(driver, 0, branches=branches)
            runs.traced.append(run)
            dirty |= run.substituted
            if run.substituted:
                real_jax().clear_caches()
            if not run.substituted or not branches.advance() or judge.out_of_time():
                break
            if judge.own and not any(
                judge.unsettled(r) and not _has_raised(r, runs) for r in judge.own
            ):
                break
        return dirty

    def _invoke(
        self,
        driver: Driver,
        turn: int,
        *,
        eager: bool = False,
        natural: bool = False,
        again: bool = False,
        branches: Branches | None = None,
    ) -> RunRecord:
        """Run a driver once and give what was recorded.

        Args:
          driver: the driver.
          turn: with which values.
          eager: without jit.
          natural: exceptions go where they go.
          again: the modules hold what the run before has left in them.
          branches: which way substituted conditions go.
        """
        jax = real_jax()
        recorder = self._recorder

        self.state.take([*self._modules.imported.values()])
        if not again:
            self.state.restore()
        run = recorder.begin(branches or Branches(), eager=eager, natural=natural)
        run.programs_before = recorder.clock.programs.copy()
        mode = jax.disable_jit() if eager else contextlib.nullcontext()
        limit = DRIVER_SECONDS if driver.seconds is None else driver.seconds
        left = min(limit, self._judge.seconds_left())
        before = recorder.clock.read()
        recorder.running = True
        try:
            with time_limit(max(left, 0.1)), mode:
                result = driver.call(turn)
                if not run.substituted:
                    jax.block_until_ready([x for x in jax.tree.leaves(result) if _is_array(x)])
                jax.effects_barrier()
        except TimeUp:
            run.error = "it takes too long"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            run.error = described(error)
            recorder.escaping.ended(run, error)
            recorder.failed(error, driver.called)
            if driver.failed is not None:
                driver.failed(error)
            error.__traceback__ = None
        recorder.running = False
        if os.getpid() != self._pid:
            # The user's code forked: that process has no part in this.
            os._exit(0)
        recorder.escaping.ended(run, None)
        recorder.settle()
        recorder.changes.settle(run)
        run.programs = recorder.clock.programs.copy()
        run.traces = recorder.clock.since(before)[0]
        return run

    def _touched(self, report: Report, runs: Runs) -> bool:
        """Whether a run came to a reported place."""
        return _has_raised(report, runs) or any(
            self._recorder.places.reached(report, run) for run in runs.traced
        )


def _forget_cached(files: Collection[str]) -> None:
    """Empty what some modules keep of their functions' results, as at their start."""
    for module in [*sys.modules.values()]:
        if getattr(module, "__file__", None) not in files:
            continue
        held = [*vars(module).values()]
        for owner in [module, *(value for value in held if isinstance(value, type))]:
            for value in vars(owner).values():
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
        for value in held:
            for name, kept in vars(type(value)).items():
                if isinstance(kept, functools.cached_property):
                    vars(value).pop(name, None)


def _has_raised(report: Report, runs: Runs) -> bool:
    return any(r.report == report.number for run in runs.traced for r in run.raised)


def _is_array(value: Any) -> bool:
    jax = real_jax()

    return isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer)
