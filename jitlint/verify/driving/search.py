"""Made-up calls, for reports that no call of the user's code has settled.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from jitlint.sketches import Sketch
from jitlint.verify.driving.attempts import Attempts
from jitlint.verify.driving.calling import sources
from jitlint.verify.driving.calling.argument_lists import argument_lists
from jitlint.verify.driving.calling.arrays import changed_attribute, other_values
from jitlint.verify.driving.calling.callables import (
    Callables,
    Target,
    arguments,
    callables_in,
    code_below,
    is_jitted,
    written_name,
)
from jitlint.verify.driving.calling.inputs import PROFILES, Known
from jitlint.verify.driving.calling.setups import setups
from jitlint.verify.driving.drivers import Code, Driver
from jitlint.verify.driving.growing.growth import Growth, Make, Trial, traced_call
from jitlint.verify.driving.growing.making import OWNER
from jitlint.verify.driving.growing.trouble import Trouble, trouble
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.judging import Judge
from jitlint.verify.driving.loading import Modules
from jitlint.verify.driving.running import Runner
from jitlint.verify.driving.verdicts import MADE_UP_CALL, MADE_UP_JIT
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report, RunRecord

#: rules of what an object holds by the time that a program runs again
_OF_CHANGED_OBJECTS = frozenset({"JIT311"})
#: how many argument lists one callable is tried with, at first and in all
_FIRST_TRIES = 8
_MOST_TRIES = 40
#: how many of the functions are tried that one function returns in several calls, and how often
_MOST_RETURNS = 6
_LATER_TRIES = 2
#: how long a call with placeholders may take
_PROBE_SECONDS = 3.0
#: how long a made-up call may take in any case
_LEAST_SECONDS = 5.0
#: how many calls are tried to set something up
_MOST_SETUPS = 3
#: how often what a call returns is called in turn
_MOST_DEPTH = 2
#: how often each callable has its turn to be called with inputs that grow
_GROWING_TURNS = 2
#: into how many parts the time for that is divided, of which the first ones have one each
_GROWING_PARTS = 4
#: how many times as long a search may take where the machine has other things to do
_PATIENCE = 2.0


class Search:
    """Looks for inputs that reach the reports of a job.

    Args:
      job: what to do.
      modules: the project's modules.
      recorder: has the values that real calls were made with.
      judge: knows what is settled.
      runner: makes the calls.
      devices: how many devices there are for code that spreads over several.
      attempts: is told of what is tried.
    """

    def __init__(
        self,
        job: Job,
        modules: Modules,
        recorder: Recorder,
        judge: Judge,
        runner: Runner,
        devices: int,
        attempts: Attempts,
    ) -> None:
        self._statics = job.statics
        self._sketches = job.sketches
        self._modules = modules
        self._recorder = recorder
        self._judge = judge
        self._runner = runner
        self._profiles = PROFILES
        if devices > 1:
            # What is spread over devices must have as many elements, or a multiple.
            self._profiles = ((devices,), (devices, devices), *PROFILES)
        self._tried: set[tuple[str, int]] = set()
        self._growing = False
        self._returns: Counter[tuple[str, bool]] = Counter()
        self._grown: dict[str, Growth] = {}
        self._trees: dict[str, ast.Module] = {}
        self._attempts = attempts
        #: what was called to fill in what a module holds, and what that has entered
        self._set_up: dict[str, list[Any]] = {}

    def search(self, report: Report, seconds: float, *, grow: bool) -> None:
        """Look for inputs that reach a report, for some time.

        Args:
          report: the report.
          seconds: how long.
          grow: let inputs grow.  What is called for that leaves traces in what a module keeps, so
            that it comes after the rest.
        """
        self._growing = grow
        if not self._is_wanted(report):
            return
        until = _Deadline(self._judge, seconds)
        last: list[tuple[Target, Callables]] = []
        for filename in dict.fromkeys([report.filename, *(name for name, _ in report.chain)]):
            module = self._modules.other(filename)
            lines = self._recorder.places.lines.get(filename)
            if module is None or lines is None:
                continue
            pool, known = self._recorder.pool, self._known(filename)
            real = self._recorder.seen_in_runs
            callables = Callables(module, filename, lines, pool, self._profiles, known, real)
            own = filename == report.filename
            names = sources.roots(
                callables.source,
                report.function if own else None,
                report.chain,
                report.span[0] if own else 0,
            )
            found = [target for name in names for target in callables.named(name)]
            if not found:
                self._attempts.lack(report, callables.maker.refused)
            if own:
                last = [(target, callables) for target in self._applied(report, found)]
            self._trees[filename] = callables.source.tree
            if self._try(report, [(target, callables) for target in found], until):
                return
        self._try(report, last, _Deadline(self._judge, seconds / 2))

    def _is_wanted(self, report: Report, target: Target | None = None) -> bool:
        """Whether further inputs, or those of one callable, may say more of a report."""
        if not self._judge.unsettled(report) or self._runner.is_seen_through(report):
            return False
        return target is None or not self._runner.is_seen_through(report, target.label)

    def _known(self, filename: str) -> dict[str, Known]:
        """What the analysis knows of the functions of a file."""
        return {
            function: {
                name: [Sketch.from_json(values) for values in some]
                for name, some in parameters.items()
            }
            for of, function, parameters in self._sketches
            if of == filename
        }

    def _try(
        self, report: Report, found: Sequence[tuple[Target, Callables]], until: _Deadline
    ) -> bool:
        """Try everything that can be called; whether the report is settled."""
        if self._growing:
            # In turns, where the likeliest ones have the most time: what calls one may make what
            # nothing could make up.
            for left in range(_GROWING_TURNS * len(found), 0, -1):
                target, callables = found[-left % len(found)]
                self._grow(report, target, callables, until.share(min(left, _GROWING_PARTS)))
        # A few inputs for each first: what is called first may not be what leads there.
        for most in (_FIRST_TRIES, _MOST_TRIES):
            for target, callables in found:
                self._try_inputs(report, target, callables, until, most)
        return not self._is_wanted(report)

    def _applied(self, report: Report, found: Iterable[Target]) -> Iterator[Target]:
        """The reported function itself, under ``jax.jit``: it is what check says is traced."""
        for target in found:
            if target.label == report.function:
                for made in self._jitted(report, target.function):
                    code = self._under_jit(report, target.code)
                    label = f"jax.jit({target.label})"
                    yield replace(target, function=made, label=label, code=code, jitted=True)

    def _jitted(self, report: Report, function: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
        """A function under ``jax.jit``, unless it is wrapped already."""
        if not hasattr(function, "__wrapped__"):
            statics = self._statics.get(report.function or "", ())
            with contextlib.suppress(Exception):
                yield real_jax().jit(function, static_argnames=tuple(statics))

    def _under_jit(self, report: Report, code: str | None) -> str | None:
        """The Python of ``_jitted``."""
        if code is None:
            return None
        statics = tuple(self._statics.get(report.function or "", ()))
        return f"jax.jit({code}, static_argnames={statics})" if statics else f"jax.jit({code})"

    def _returned(
        self, report: Report, value: Any, label: str, code: str | None, callables: Callables
    ) -> Iterator[Target]:
        """The project's functions in a result, the reported one also under ``jax.jit``."""
        for function, place in callables_in(value, self._modules.files):
            shown = f"{label}(...)" + (" under jax.jit" if is_jitted(function) else "")
            found = None if code is None else f"{code}{place}"
            known = callables.known(function)
            yield Target(function, shown, known, found)
            if written_name(str(getattr(function, "__qualname__", ""))) == report.function:
                for made in self._jitted(report, function):
                    outer = self._under_jit(report, found)
                    yield Target(made, f"{label}(...) under jax.jit", known, outer, jitted=True)

    def _try_inputs(
        self,
        report: Report,
        target: Target,
        callables: Callables,
        until: _Deadline,
        most: int,
        depth: int = 0,
    ) -> None:
        """Call something with made-up inputs, and what it returns, until the report is settled."""
        lists = argument_lists(target.function, target.known, callables.maker)
        for number, (values, origin) in enumerate(itertools.islice(lists, most)):
            if (target.key, number) in self._tried:
                continue
            self._tried.add((target.key, number))
            if until.passed() or not self._is_wanted(report, target):
                return
            self._call(report, target, callables, until, values, origin, depth)

    def _call(
        self,
        report: Report,
        target: Target,
        callables: Callables,
        until: _Deadline,
        values: dict[str, Any],
        origin: str,
        depth: int,
    ) -> Trial:
        """Call something, judge what it does, and call what it returns in turn."""
        made: list[Any] = []
        errors: list[Trouble] = []

        def call(turn: int) -> Any:
            args, kwargs = arguments(target.function, other_values(values, turn))
            made[:] = [target.function(*args, **kwargs)]
            if report.code in _OF_CHANGED_OBJECTS:
                name = self._recorder.places.attribute_name(report)
                with changed_attribute(target.function, name) as changed:
                    if changed:
                        target.function(*args, **kwargs)
            return None

        def code(turn: int) -> Code | None:
            if self._set_up:
                # Nothing says so in a call of its own.
                return None
            return callables.code(target, other_values(values, turn) if turn else values)

        driver = Driver(
            f"{target.label}: inputs from {origin}",
            call,
            real=False,
            by=MADE_UP_JIT if target.jitted else MADE_UP_CALL,
            code=code,
            seconds=max(until.left(), _LEAST_SECONDS),
            failed=lambda error: errors.append(trouble(error, self._trees)),
            called=code_below(target.function, self._modules.files),
        )
        runs = self._runner.execute(driver)
        own = callables.source.filename == report.filename
        self._attempts.note(report, target.label, target.function, runs, own=own)
        trial = self._trial(runs.traced[0], errors)
        if trial.trouble is not None and self._fill_in(trial.trouble, callables):
            return self._call(report, target, callables, until, values, origin, depth)
        if not made or depth >= _MOST_DEPTH:
            return trial
        spelled = code(0)
        returned = None if spelled is None else spelled.call
        turn = self._returns[target.key, self._growing]
        self._returns[target.key, self._growing] += 1
        if turn >= _MOST_RETURNS:
            return trial
        for inner in self._returned(report, made[0], target.label, returned, callables):
            # What another call has returned may be another function.
            inner = replace(inner, turn=turn)
            if self._growing:
                self._grow(report, inner, callables, until, depth + 1)
            most = _MOST_TRIES if turn == 0 else _LATER_TRIES
            self._try_inputs(report, inner, callables, until, most, depth + 1)
            if not self._is_wanted(report):
                break
        return trial

    def _grow(
        self,
        report: Report,
        target: Target,
        callables: Callables,
        until: _Deadline,
        depth: int = 0,
    ) -> None:
        """Call something with inputs that grow by what is asked of them, and by what goes wrong."""

        def probe(make: Make) -> Trial:
            errors: list[Trouble] = []

            def call(turn: int) -> None:
                values = make()
                bound = self._bound(report, target, callables, values)
                traced_call(bound.function, *arguments(bound.function, values))

            driver = Driver(
                f"{target.label}: placeholders",
                call,
                real=False,
                seconds=_PROBE_SECONDS,
                failed=lambda error: errors.append(trouble(error, self._trees)),
            )
            trial = self._trial(self._runner.probe(driver), errors)
            if trial.trouble is not None and self._fill_in(trial.trouble, callables):
                return probe(make)
            return trial

        def prove(make: Make) -> Trial:
            try:
                values = make()
                bound = self._bound(report, target, callables, values)
            except Exception as error:
                return Trial(0, 0, False, trouble(error, self._trees))
            return self._call(report, bound, callables, until, values, "its own errors", depth)

        growth = self._grown.get(target.key)
        if growth is None:
            growth = Growth(target.function, target.known, callables.maker, target.owner)
            self._grown[target.key] = growth
        try:
            for _ in growth.grow(probe, prove):
                if until.passed() or not self._is_wanted(report, target):
                    return
        except Exception as error:
            # A fault of jitlint's own costs these inputs only.
            growth.end()
            self._runner.tell_failure(target.label, error)

    def _fill_in(self, trouble: Trouble, callables: Callables) -> bool:
        """Fill in what a module holds, where a call has missed it; whether that was done."""
        if not self._growing:
            return False
        before = sum(map(len, self._set_up.values()))
        known = {} if trouble.own is None else trouble.own.f_locals
        for name in [*setups(trouble, callables.source)]:
            if name in self._set_up:
                continue
            results = self._set_up[name] = []
            for target in callables.named(name):
                lists = argument_lists(target.function, target.known, callables.maker)
                for values, _ in itertools.islice(lists, _MOST_SETUPS):
                    # What the guard was asked for is what is to be there.
                    asked = {name: known[name] for name in values if name in known}
                    results += self._entered(target, {**values, **asked})
                    if results:
                        break
        done = sum(map(len, self._set_up.values())) > before
        if done:
            self._runner.state.retake()
        return done

    def _entered(self, target: Target, values: dict[str, Any]) -> list[Any]:
        """What a call returns, entered if it is a context; nothing if it fails."""
        results: list[Any] = []

        def call(turn: int) -> None:
            args, kwargs = arguments(target.function, values)
            made = target.function(*args, **kwargs)
            if hasattr(made, "__enter__"):
                made.__enter__()
            # A context that nothing holds would end.
            results.append(made)

        label = f"{target.label}, which sets something up"
        self._runner.probe(Driver(label, call, real=False, seconds=_PROBE_SECONDS))
        return results

    def _bound(
        self, report: Report, target: Target, callables: Callables, values: dict[str, Any]
    ) -> Target:
        """A method of the object that is among some values, and is taken from them."""
        if target.owner is None:
            return target
        owner = values.pop(OWNER)
        function = getattr(owner, target.method)
        code = callables.maker.speller.spell(owner)
        code = code and f"{code}.{target.method}"
        if target.jitted:
            function = next(self._jitted(report, function), function)
            code = self._under_jit(report, code)
        return replace(target, function=function, code=code)

    def _trial(self, run: RunRecord, errors: Sequence[Trouble]) -> Trial:
        """What a run says of its inputs."""
        places = self._recorder.places
        open_ = [r for r in self._judge.own if self._judge.unsettled(r)]
        raised = [r for r in run.raised if r.report in {report.number for report in open_}]
        asked = [r for r in run.raised if r.by_tracer and r.shape]
        vague = [r.shape for r in asked if r.exception in ("ValueError", "TypeError")]
        return Trial(
            rows=len(run.rows),
            statements=run.rows.total(),
            reached=bool(raised) or any(places.reached(report, run) for report in open_),
            trouble=errors[0] if errors else None,
            vague=vague[0] if vague else None,
        )


class _Deadline:
    """The end of a stretch of time within the job's own.

    Args:
      judge: knows how much time the job has.
      seconds: how long it is.
    """

    def __init__(self, judge: Judge, seconds: float) -> None:
        self._judge = judge
        self._seconds = seconds
        self._begun, self._worked = time.monotonic(), time.process_time()

    def left(self) -> float:
        """The seconds until then; what others do on the machine costs half of its time at most."""
        passed = time.monotonic() - self._begun
        worked = time.process_time() - self._worked
        return self._seconds - max(min(passed, worked), passed / _PATIENCE)

    def passed(self) -> bool:
        """Whether it is over."""
        return self._judge.out_of_time() or self.left() < 0

    def share(self, number: int) -> _Deadline:
        """One of so many equal parts of what is left."""
        return _Deadline(self._judge, self.left() / number)
