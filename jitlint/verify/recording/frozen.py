"""Values that a program keeps from its trace, and what has become of them when it runs again.

Runs in a child process only.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jitlint.verify.recording.draws import constant_draws
from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.real_jax import callable_program, real_jax, real_numpy
from jitlint.verify.recording.records import Captured, RunRecord, shown_as
from jitlint.verify.recording.tracers import is_tracer, traced

#: how far a value is followed into what it holds
_DEEP = 5
#: how far is looked whether a call that is suspected changes an object
SHALLOW = 2


@dataclass(slots=True)
class _Read:
    """A value that a trace has read.

    Args:
      print: what the value was like.
      text: the same, to be shown.
      again: reads it once more.
    """

    print: object
    text: str
    again: Callable[[], Any]


@dataclass(slots=True)
class _Program:
    """A program that has run.

    Args:
      jaxpr: keeps the identity by which it is known.
      numbers: the reports whose places its trace has run.
      reads: what it has read at some of them.
      draws: how many draws of random numbers are the same in every call, and how many are not.
      runs: how often it has run.
    """

    jaxpr: Any
    numbers: frozenset[int]
    reads: dict[int, _Read]
    draws: tuple[int, int]
    runs: int = 0


@dataclass(slots=True)
class _Trace:
    """What has been traced since a program ran last."""

    numbers: set[int] = field(default_factory=set)
    reads: dict[int, _Read] = field(default_factory=dict)
    bytes: dict[int, int] = field(default_factory=dict)


class ProgramsRun:
    """The programs of a run, with what their traces have read at reported places.

    Args:
      clock: counts traces, without those that are needed here.
      bloating: reports of arrays that make programs large.
    """

    def __init__(self, clock: CompilationClock, bloating: frozenset[int]) -> None:
        self._clock = clock
        self._bloating = bloating
        self._trace = _Trace()
        self._programs: dict[int, _Program] = {}

    def begin(self) -> None:
        """Forget everything: a run is judged by itself."""
        self._trace = _Trace()
        self._programs = {}

    def statement(self) -> None:
        """The next statement runs: outside of a trace, an earlier one has ended by now."""
        if self._trace.numbers and not traced():
            self._trace = _Trace()

    def evaluated(self, report: int, value: Any) -> None:
        """A trace came to a reported place, and found a value there."""
        trace = self._trace
        trace.numbers.add(report)
        leaves = real_jax().tree.leaves(value)
        if not is_tracer(leaves):
            trace.bytes[report] = sum(int(getattr(leaf, "nbytes", 0)) for leaf in leaves)

    def read(self, report: int, value: Any, again: Callable[[], Any]) -> None:
        """The same, where the value can be read once more."""
        if not is_tracer(value):
            self._trace.reads[report] = _Read(fingerprint(value), shown_as(value), again)

    def about_to_run(self, jaxpr: Any, run: RunRecord) -> None:
        """A program is about to run, outside of any trace."""
        program = self._programs.get(id(jaxpr))
        if program is None:
            trace, self._trace = self._trace, _Trace()
            if jaxpr is None or not trace.numbers:
                return
            numbers = frozenset(trace.numbers)
            program = _Program(jaxpr, numbers, trace.reads, constant_draws(jaxpr))
            self._programs[id(jaxpr)] = program
            captured = {r: n for r, n in trace.bytes.items() if r in self._bloating and n > 0}
            if captured:
                characters = self._characters(jaxpr)
                run.captured |= {r: Captured(n, characters) for r, n in captured.items()}
        program.runs += 1
        constant, varying = program.draws
        for report in program.numbers:
            run.draws[report] = (program.runs, constant, varying)
        if program.runs > 1:
            for report, read in program.reads.items():
                _look_again(report, read, run)

    def _characters(self, jaxpr: Any) -> int:
        """The length of the text that the compiler is given for a program."""
        with self._clock.ignored():
            return len(real_jax().jit(callable_program(jaxpr)).lower(*jaxpr.in_avals).as_text())


def _look_again(report: int, read: _Read, run: RunRecord) -> None:
    try:
        now = read.again()
        changed = fingerprint(now) != read.print
    except Exception:
        # The scope has lost the name, or what it stands for.
        return
    if changed:
        text = shown_as(now)
        difference = f"is {text}" if text != read.text else "has changed"
        run.stale.setdefault(
            report,
            f"the compiled function was traced when this was {read.text}, and ran again, with that "
            f"value, when it {difference}",
        )
    else:
        run.unchanged[report] += 1


def fingerprint(value: Any, depth: int = _DEEP) -> object:
    """What tells values apart, also one and the same object before and after it has changed."""
    jax, numpy = real_jax(), real_numpy()

    if isinstance(value, jax.core.Tracer):
        return "tracer"
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        return type(value).__name__, repr(value)
    if isinstance(value, jax.Array | numpy.ndarray | numpy.generic):
        if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            # `key_data` is an operation, which gives a tracer while something is traced.
            value = getattr(value, "_base_array", None)
            if value is None:
                return "key"
        array = numpy.asarray(value)
        return array.shape, str(array.dtype), array.tobytes() if array.dtype != object else None
    inert = types.FunctionType | types.ModuleType | types.MethodType | type
    if depth == 0 or isinstance(value, inert):
        return id(value)
    if isinstance(value, Mapping):
        return "dict", tuple(
            (fingerprint(key, depth - 1), fingerprint(item, depth - 1))
            for key, item in value.items()
        )
    if isinstance(value, list | tuple):
        return "list", tuple(fingerprint(item, depth - 1) for item in value)
    if isinstance(value, set | frozenset):
        return "set", frozenset(fingerprint(item, depth - 1) for item in value)
    fields = getattr(value, "__dict__", None)
    if isinstance(fields, dict) and fields:
        return type(value).__qualname__, fingerprint(fields, depth - 1)
    return id(value)
