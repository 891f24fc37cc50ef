"""What a run of instrumented code leaves behind, for the oracles to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jitlint.verify.recording.sites import Span

#: how many values of one place are kept, and how much of each
_MOST_SHOWN, _SHOWN_LENGTH = 32, 60


@dataclass(frozen=True, slots=True)
class Report:
    """What a job knows of a report: its place, and what ``check`` expects there.

    One that is ``suspected`` is none of ``check``: an audit looks for a fault there.
    """

    number: int
    code: str
    kind: str
    exceptions: tuple[str, ...]
    filename: str
    span: Span
    function: str | None
    chain: tuple[tuple[str, int], ...] = ()
    suspected: bool = False

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Report:
        """Read a report from its JSON object, which has its fields."""
        return cls(
            **{
                **values,
                "exceptions": tuple(values["exceptions"]),
                "span": tuple(values["span"]),
                "chain": tuple((filename, row) for filename, row in values["chain"]),
            }
        )

    def predicts(self, bases: frozenset[str]) -> bool:
        """Whether an exception with such classes is what the report says is raised."""
        return any(name.rpartition(".")[2] in bases for name in self.exceptions)


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception at a place of the user's code.

    Args:
      report: the number of the report that predicted it, None if none did.
      filename: of the innermost frame of the user's code.
      span: of the expression that was running there.
      exception: the class's name.
      bases: the names of all its classes.
      message: the start of its text.
      by_tracer: a tracer itself raised it, so that tracing is certainly to blame.
      substituted: earlier in this run a substitute stood in for a value.
      swallowed: the row of the ``try`` that hides it.
      traced: whether a trace was running.
      names_tracer: its text speaks of a tracer.
      shape: of the tracer that was asked for a value.
    """

    report: int | None
    filename: str
    span: Span
    exception: str
    bases: frozenset[str]
    message: str
    by_tracer: bool
    substituted: bool
    swallowed: int | None = None
    traced: bool = True
    names_tracer: bool = False
    shape: tuple[int, ...] = ()


@dataclass(slots=True)
class CompiledCall:
    """One call of a jitted function that a reported place made.

    Args:
      made: which of the functions that the place made, or which call.
      signature: what it looks like to the cache.
      traces: the jaxprs made for it.
      compilations: the programs compiled.
      milliseconds: how long it took.
      hoisted_milliseconds: how long it takes once more.
      shapes: of the arrays that it was given; whatever else differs, the cache may serve.
      program: what was traced for it, whatever its numbers are; empty where that was not seen.
    """

    made: int
    signature: str
    traces: int
    compilations: int
    milliseconds: float
    hoisted_milliseconds: float | None = None
    shapes: str = ""
    program: str = ""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program that was compiled.

    Args:
      at: the file and row of the user's code that ran.
      name: of the program.
      turn: between which statements of a test.
      function: the file and row of the function that was traced, if JAX tells.
    """

    at: tuple[str, int]
    name: str
    turn: int
    function: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class Step:
    """A frame of instrumented code: its identity, and the row that runs there."""

    frame: tuple[int, int]
    filename: str
    row: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What was the case when a clock was read.

    Args:
      steps: the frames of instrumented code, the innermost first.
      pending: the programs, by their position, whose results were not ready.
      dispatched: how many programs had been dispatched.
      compiled: how many programs had been compiled.
    """

    steps: tuple[Step, ...]
    pending: tuple[int, ...]
    dispatched: int
    compiled: int


@dataclass(frozen=True, slots=True)
class Captured:
    """Arrays that a trace has read: their bytes, and the length of its program's text."""

    bytes: int
    characters: int


@dataclass(slots=True)
class RunRecord:
    """What one run of a driver did."""

    rows: Counter[tuple[str, int]] = field(default_factory=Counter)
    traced_rows: Counter[tuple[str, int]] = field(default_factory=Counter)
    evaluated: Counter[int] = field(default_factory=Counter)
    evaluated_traced: Counter[int] = field(default_factory=Counter)
    abstract: Counter[int] = field(default_factory=Counter)
    shown: dict[int, list[str]] = field(default_factory=dict)
    raised: list[Raised] = field(default_factory=list)
    leaks: dict[int, str] = field(default_factory=dict)
    #: what a trace stored into that is alive after it, and holds no tracer
    clean: dict[int, str] = field(default_factory=dict)
    dropped: dict[int, str] = field(default_factory=dict)
    compiled: dict[int, list[CompiledCall]] = field(default_factory=dict)
    made: Counter[int] = field(default_factory=Counter)
    #: calls of what reported places have made, or at them, that are part of another program
    inlined: Counter[int] = field(default_factory=Counter)
    substituted: bool = False
    cured: set[int] = field(default_factory=set)
    replayed: dict[int, int] = field(default_factory=dict)
    error: str | None = None
    #: jaxprs made
    traces: int = 0
    readings: list[Reading] = field(default_factory=list)
    #: what was another when a program ran again that had kept it, and how often it was the same
    stale: dict[int, str] = field(default_factory=dict)
    unchanged: Counter[int] = field(default_factory=Counter)
    #: of a program: its runs, its draws that are always the same, and the others
    draws: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    captured: dict[int, Captured] = field(default_factory=dict)
    #: containers that were changed: with and without their change among the results of the trace
    returned: dict[int, str] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    #: those that belong to a caller, without jit, and those among the arguments, under jit
    callers: set[int] = field(default_factory=set)
    arguments_changed: set[int] = field(default_factory=set)
    #: names of programs and how often they were compiled, at each visit and at the end
    cleared: dict[int, list[Counter[str]]] = field(default_factory=dict)
    programs: Counter[str] = field(default_factory=Counter)
    programs_before: Counter[str] = field(default_factory=Counter)
    #: what JAX says of dtypes that it does not have, by place, and dtypes that it has
    truncated: dict[tuple[str, int], str] = field(default_factory=dict)
    #: by the place of a draw of random numbers: how often it was made once more by one activation,
    #: how often with what that had drawn with before, how often in the body of a loop with a key
    #: from outside
    drawn_here: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    #: those draws, with what keeps them apart
    draw_calls: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    dtypes: dict[int, tuple[str, str]] = field(default_factory=dict)
    #: the places among them that ask JAX, and not another library that does
    asked_directly: set[tuple[str, int]] = field(default_factory=set)
    #: what a trace has stored into: as it was before, once the trace had ended; another then, or in
    #: an earlier run; gone with the trace
    restored: set[int] = field(default_factory=set)
    altered: set[int] = field(default_factory=set)
    gone: dict[int, str] = field(default_factory=dict)
    #: exceptions that something in the traced code may catch; those that were caught there; and
    #: those that left the trace
    catchable: set[int] = field(default_factory=set)
    handled: set[int] = field(default_factory=set)
    escaped: set[int] = field(default_factory=set)
    #: calls of what belongs to JAX, by its name, where check takes something else to be called
    of_jax: dict[int, str] = field(default_factory=dict)
    #: comprehensions that a trace has entered, and their turns
    entered: Counter[int] = field(default_factory=Counter)
    turned: Counter[int] = field(default_factory=Counter)
    #: iterators that outlive the trace that advances them, and what suspected stores changed
    outlived: set[int] = field(default_factory=set)
    #: for audits: what was compiled
    compiled_at: Counter[Compiled] = field(default_factory=Counter)

    def show(self, report: int, value: Any) -> None:
        """Keep a value of a reported place, as it is shown."""
        shown = self.shown.setdefault(report, [])
        if len(shown) < _MOST_SHOWN:
            shown.append(shown_as(value))


def shown_as(value: Any) -> str:
    """A value in a few characters, all in one line."""
    try:
        return " ".join(repr(value).split())[:_SHOWN_LENGTH]
    except Exception:
        return f"<{type(value).__name__}>"
