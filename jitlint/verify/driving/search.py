"""Made-up calls, for reports that no call of the user's code has settled.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from jitlint.verify.driving import sources
from jitlint.verify.driving.attempts import Attempts
from jitlint.verify.driving.drivers import MADE_UP_CALL, MADE_UP_JIT, Code, Driver
from jitlint.verify.driving.inputs import OMITTED, PROFILES, Maker, argument_lists, other_values
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.judging import Judge
from jitlint.verify.driving.loading import Modules
from jitlint.verify.driving.running import Runner
from jitlint.verify.driving.uses import Uses, uses_of
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report
from jitlint.verify.recording.tracers import is_tracer

#: rules of which real calls alone decide, where there are some: whether a Python number arrives at
#: a place, which made-up calls always pass too, and whether a function that is handed over waits
_FOR_REAL_CALLS = frozenset({"JIT112", "JIT401"})
#: how many argument lists one callable is tried with
_MOST_TRIES = 40
#: how often what a call returns is called in turn
_MOST_DEPTH = 2
#: how many wrappers may lie around a function
_MOST_WRAPPERS = 8


@dataclass(frozen=True)
class _Target:
    """Something to call.

    Args:
      function: the callable.
      label: what it is called, for the evidence.
      uses: how the function below it uses its parameters.
      code: it in Python, None where that is not known.
      jitted: it was jitted here, and not by the user.
    """

    function: Callable[..., Any]
    label: str
    uses: Mapping[str, Uses]
    code: str | None = None
    jitted: bool = False


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
        self._modules = modules
        self._recorder = recorder
        self._judge = judge
        self._runner = runner
        self._profiles = PROFILES
        if devices > 1:
            # What is spread over devices must have as many elements, or a multiple.
            self._profiles = ((devices,), (devices, devices), *PROFILES)
        self._tried: set[tuple[str, int]] = set()
        self._attempts = attempts

    def search(self, report: Report, seconds: float) -> None:
        """Look for inputs that reach a report, for some time."""
        if report.code in _FOR_REAL_CALLS and self._judge.is_refuted(report):
            return
        until = _Deadline(self._judge, seconds)
        last: list[tuple[_Target, _Callables]] = []
        for filename in dict.fromkeys([report.filename, *(name for name, _ in report.chain)]):
            module = self._modules.other(filename)
            lines = self._recorder.places.lines.get(filename)
            if module is None or lines is None:
                continue
            callables = _Callables(module, filename, lines, self._recorder.pool, self._profiles)
            own = filename == report.filename
            names = sources.roots(
                callables.source,
                report.function if own else None,
                report.chain,
                report.span[0] if own else 0,
            )
            found = [target for name in names for target in callables.named(name)]
            if own:
                last = [(target, callables) for target in self._applied(report, found)]
            for target in found:
                self._try_inputs(report, target, callables, until)
                if not self._judge.unsettled(report):
                    return
                if until.passed():
                    break
        until = _Deadline(self._judge, seconds / 2)
        for target, callables in last:
            self._try_inputs(report, target, callables, until)

    def _applied(self, report: Report, found: Iterable[_Target]) -> Iterator[_Target]:
        """The reported function itself, under ``jax.jit``: it is what check says is traced."""
        if self._judge.is_refuted(report):
            # A real call says more than one that is made up down to the transform.
            return
        for target in found:
            if target.label == report.function:
                for made in self._jitted(report, target.function):
                    code = self._under_jit(report, target.code)
                    yield _Target(made, f"jax.jit({target.label})", target.uses, code, jitted=True)

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
        self, report: Report, value: Any, label: str, code: str | None, callables: _Callables
    ) -> Iterator[_Target]:
        """The project's functions in a result, the reported one also under ``jax.jit``."""
        for function, place in _callables_in(value, self._modules.files):
            shown = f"{label}(...)" + (" under jax.jit" if _is_jitted(function) else "")
            found = None if code is None else f"{code}{place}"
            uses = callables.uses(function)
            yield _Target(function, shown, uses, found)
            name = str(getattr(function, "__qualname__", "")).replace(".<locals>", "")
            if name == report.function:
                for made in self._jitted(report, function):
                    outer = self._under_jit(report, found)
                    yield _Target(made, f"{label}(...) under jax.jit", uses, outer, jitted=True)

    def _try_inputs(
        self,
        report: Report,
        target: _Target,
        callables: _Callables,
        until: _Deadline,
        depth: int = 0,
    ) -> None:
        """Call something with made-up inputs, and what it returns, until the report is settled."""
        lists = argument_lists(target.function, target.uses, callables.maker)
        for number, (values, origin) in enumerate(itertools.islice(lists, _MOST_TRIES)):
            if (target.label, number) in self._tried:
                continue
            self._tried.add((target.label, number))
            if until.passed() or not self._judge.unsettled(report):
                return
            made: list[Any] = []

            def call(turn: int, values: dict[str, Any] = values, made: list[Any] = made) -> Any:
                args, kwargs = _arguments(target.function, other_values(values, turn))
                made[:] = [target.function(*args, **kwargs)]
                return None

            def code(turn: int, values: dict[str, Any] = values) -> Code | None:
                return callables.code(target, other_values(values, turn) if turn else values)

            label = f"{target.label}: inputs from {origin}"
            by = MADE_UP_JIT if target.jitted else MADE_UP_CALL
            runs = self._runner.execute(Driver(label, call, real=False, by=by, code=code))
            self._attempts.note(report, target.label, target.function, runs)
            if not made or depth >= _MOST_DEPTH:
                continue
            spelled = code(0)
            returned = None if spelled is None else spelled.call
            for inner in self._returned(report, made[0], target.label, returned, callables):
                self._try_inputs(report, inner, callables, until, depth + 1)
                if not self._judge.unsettled(report):
                    return


class _Deadline:
    """The end of a stretch of time within the job's own.

    Args:
      judge: knows how much time the job has.
      seconds: how long it is.
    """

    def __init__(self, judge: Judge, seconds: float) -> None:
        self._end = time.monotonic() + min(judge.seconds_left(), seconds)

    def passed(self) -> bool:
        """Whether it is over."""
        return time.monotonic() > self._end


class _Callables:
    """What can be called in a module.

    Args:
      module: the module.
      filename: its file.
      lines: its text.
      pool: values seen in real calls, by name.
      profiles: the shapes that unknown arrays have together, by turns.
    """

    def __init__(
        self,
        module: ModuleType,
        filename: str,
        lines: list[str],
        pool: Mapping[str, list[Any]],
        profiles: tuple[tuple[int, ...], ...],
    ) -> None:
        self.source = sources.Source(ast.parse("\n".join(lines)), filename)
        name = module.__name__ if module.__name__ in sys.modules else None
        self.maker = Maker(
            vars(module),
            self.source.functions(),
            pool,
            profiles=profiles,
            # A notebook is nobody's module.
            module=None if name == "__main__" else name,
        )
        self._module = module

    def code(self, target: _Target, values: Mapping[str, Any]) -> Code | None:
        """A call in Python, None where that is not known."""
        module = self.maker.module
        try:
            spelled = self.maker.speller.arguments(*_arguments(target.function, values))
        except (TypeError, ValueError):
            return None
        if module is None or target.code is None or spelled is None:
            return None
        return Code(module, f"{target.code}({spelled})")

    def named(self, name: str) -> Iterator[_Target]:
        """The callables that a dotted name stands for, made where that needs no invention."""
        head, *rest = name.split(".")
        value = getattr(self._module, head, None)
        if isinstance(value, type) and rest:
            for instance in itertools.islice(self.maker.instances(value, Uses(), 0, 1), 2):
                yield from self._methods(instance, head, rest[0])
        elif callable(value) and not isinstance(value, type):
            yield self._target(value, head, self.maker.spelled(head))
        elif isinstance(value, Mapping | list | tuple):
            pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
            for key, item in itertools.islice(pairs, 3):
                if callable(item):
                    code = self.maker.spelled(head)
                    yield self._target(item, head, code and f"{code}[{key!r}]")

    def _methods(self, instance: Any, cls: str, name: str) -> Iterator[_Target]:
        """A method of an object, and the jitted functions that it holds."""
        if hasattr(instance, "init_with_output"):
            with contextlib.suppress(AttributeError):
                made = self._target(_linen_method(instance, name), f"{cls}.apply")
                yield replace(made, jitted=True)
            return
        code = self.maker.speller.spell(instance)
        fields = getattr(instance, "__dict__", {})
        # A method is often given the fields of its object.
        for key, item in fields.items():
            if not callable(item) and not is_tracer(item):
                self.maker.fields.setdefault(key, item)
        method = getattr(instance, name, None)
        if callable(method) and name != "__init__":
            yield self._target(method, f"{cls}.{name}", code and f"{code}.{name}")
        # What the constructor has jitted stands in attributes.
        for key, item in getattr(instance, "__dict__", {}).items():
            if hasattr(item, "__wrapped__") and callable(item):
                yield self._target(item, f"{cls}.{key}", code and f"{code}.{key}")

    def _target(self, function: Callable[..., Any], label: str, code: str | None = None) -> _Target:
        return _Target(function, label, self.uses(function), code)

    def uses(self, function: Any) -> dict[str, Uses]:
        """How the function below a callable uses its parameters."""
        node = None
        for _ in range(_MOST_WRAPPERS):
            code = getattr(function, "__code__", None)
            if code is not None and code.co_filename == self.source.filename:
                node = self.source.by_row().get(code.co_firstlineno)
                if not hasattr(function, "__wrapped__"):
                    break
            if isinstance(function, functools.partial):
                function = function.func
            else:
                function = getattr(function, "__wrapped__", getattr(function, "__func__", None))
            if function is None:
                break
        return {} if node is None else uses_of(node, self.maker.functions)


def _arguments(
    target: Callable[..., Any], values: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Values by name as an argument list; transforms like their arguments in order."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    omitted = False
    for name, parameter in inspect.signature(target).parameters.items():
        if name not in values:
            continue
        if values[name] is OMITTED:
            omitted = True
        elif parameter.kind is parameter.KEYWORD_ONLY or omitted:
            kwargs[name] = values[name]
        else:
            args.append(values[name])
    return args, kwargs


def _linen_method(module: Any, name: str) -> Callable[..., Any]:
    """A method of a Flax module as a function: initialised, then applied under jit."""
    jax = real_jax()
    name = "__call__" if name in ("setup", "__init__") else name
    method = getattr(module, name)

    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        key = jax.random.key(0)
        variables = module.init({"params": key, "dropout": key}, *args, method=name, **kwargs)
        apply = functools.partial(module.apply, method=name, rngs={"dropout": key}, **kwargs)
        return jax.jit(lambda tree, *inputs: apply(tree, *inputs))(variables, *args)

    return run


def _callables_in(value: Any, files: frozenset[str]) -> Iterator[tuple[Callable[..., Any], str]]:
    """The project's own functions in a result, each with where it is there."""
    items: list[tuple[Any, str]] = [(value, "")]
    if isinstance(value, tuple | list):
        items = [(item, f"[{place}]") for place, item in enumerate(value)]
    elif isinstance(value, Mapping):
        items = [(item, f"[{key!r}]") for key, item in value.items()]
    for item, place in items:
        inner: Any = item
        for _ in range(_MOST_WRAPPERS):
            code = getattr(inner, "__code__", None)
            if code is not None and code.co_filename in files:
                yield item, place
                break
            inner = getattr(inner, "func", None) or getattr(inner, "__wrapped__", None)
            if inner is None:
                break


def _is_jitted(function: Any) -> bool:
    return hasattr(function, "__wrapped__") and hasattr(function, "lower")
