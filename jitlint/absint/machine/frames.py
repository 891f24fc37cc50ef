"""What is active while code runs: frames, traces, loops, handlers, and the way that led here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import libcst as cst
from msgspec import Struct
from msgspec.structs import replace

from jitlint.absint.code.functions import Code, ParsedUnit, Place
from jitlint.absint.values.domain import Value
from jitlint.absint.values.heap import State
from jitlint.foundation.certainty import GUESSED, SEEN
from jitlint.foundation.records import Record
from jitlint.project.test_code import is_test, replaced_names

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Unit


class Terminated(Exception):  # noqa: N818 - a signal between frames, not an error of jitlint
    """The interpreted program does not go on here: every path raises."""


class OutOfBudget(Exception):  # noqa: N818 - likewise
    """The steps of this root are spent; what is left of it is Unknown."""


class Ending(Enum):
    """Why the path at hand ended, where that is to be believed of every caller too.

    Attributes:
      PLAIN: it came to a call of a function that only raises.
      TRACED: a tracer raised, or the program asked for tracers and raised.
    """

    PLAIN = "plain"
    TRACED = "traced"


class Context(Struct, frozen=True):
    """How the code at hand runs.

    Args:
      staging: every JAX operation is traced, even of constants (jit, control flow bodies).
      cached: the Python body does not run again on the next call.
      disabled: ``jax.disable_jit`` is in force, so that jit and control flow run as Python does.
      replaced: functions and classes that the test under way has stand-ins for.
    """

    staging: bool = False
    cached: bool = False
    disabled: bool = False
    replaced: frozenset[str] = frozenset()

    def replaces(self, code: Code) -> bool:
        """Whether the test under way has a stand-in for a function, or for its class."""
        return not self.replaced.isdisjoint((code.name, code.qualname.partition(".")[0]))


HOST = Context()


def with_stand_ins(
    context: Context,
    code: Code,
    written: Callable[[Callable[[ModuleIndex], frozenset[str]], ModuleIndex], frozenset[str]],
) -> Context:
    """How a function runs: what a test calls meets the stand-ins that the test has put there.

    Args:
      context: how its caller has it run.
      code: the function.
      written: asks the text of a module once.
    """
    if context.replaced or not is_test(code.module.path, code.qualname):
        return context
    names = written(replaced_names, code.module)
    return replace(context, replaced=names) if names else context


class Trace(Record):
    """One run of a function under a transform.

    Args:
      transform: the qualified name of what began it.
      number: greater than that of every object made before it began.
      cached: whether the body does not run again on an equal call.
      staging: whether every JAX operation inside makes a tracer of this trace.
      fresh: whether its function was made for this one use, so that each use is a trace.
      env: the variables of the function that began it.
      node: what began it there.
      outer: the trace around it.
      loops: whether it stands for many iterations.
      donated: whether what it is given is donated, so that it matters what takes its place.
    """

    transform: str
    number: int
    cached: bool
    staging: bool
    fresh: bool
    env: int
    node: cst.CSTNode
    outer: Trace | None = None
    loops: bool = False
    donated: bool = False


class Step(Record):
    """One step of the explanation: where, what happens there, and how that is known.

    Args:
      place: where.
      note: what happens there.
      certainty: how it is known: one of ``foundation.certainty``.
      several: whether it is one of several things that could as well happen there.
    """

    place: Place
    note: str
    certainty: str = SEEN
    several: bool = False


class Chain(Record):
    """Steps from the transform to the current function, newest first."""

    step: Step
    previous: Chain | None = None

    def steps(self) -> list[Step]:
        """Oldest first."""
        found: list[Step] = []
        link: Chain | None = self
        while link is not None:
            found.append(link.step)
            link = link.previous
        return found[::-1]

    @property
    def is_guess(self) -> bool:
        """Whether it rests on a guess."""
        return any(step.certainty == GUESSED for step in self.steps())


class Moment(Record):
    """A place that the program got to, and how: what an event tells besides what happened there.

    Args:
      place: where it is.
      function: the qualified name of the function that runs.
      chain: the steps that led there.
      in_test: whether it is code of a test.
      trace: the number of the innermost trace, 0 outside of all.
    """

    place: Place
    function: str
    chain: Chain | None
    in_test: bool
    trace: int


#: the states that left a block by ``return``, ``break`` and ``continue``
Exits = tuple[State | None, State | None, State | None]


class LoopFrame(Struct, eq=False):
    """States that leave a loop body by ``break`` and ``continue``."""

    breaks: State | None = None
    continues: State | None = None


class TryFrame(Struct, eq=False):
    """An enclosing ``try``, or a ``with`` like one, that may swallow what tracing raises.

    Args:
      swallows: what it catches of that, by the last parts of the names; None for everything.
      deliberate: whether the failure is what the code is about, so that nothing is to be said.
      reaches: whether it also counts for what is called in it.  Host code that is careful about a
        call hides nothing of what is wrong in the function.
      place: the statement.
      handler: the class that is caught, as written.
    """

    swallows: frozenset[str] | None
    deliberate: bool
    reaches: bool
    place: Place
    handler: str = ""

    def catches(self, names: set[str]) -> bool:
        """Whether it catches one of some errors."""
        return bool(names if self.swallows is None else self.swallows & names)


class Block(Struct, eq=False):
    """The block of a ``with`` that a generator manages: it runs where the generator yields.

    Args:
      code: the generator.
      run: runs the block, given what ``as`` binds.
      frame: the activation of the generator, once it runs.
    """

    code: Code
    run: Callable[[Value], None]
    frame: Frame | None = None


@dataclass(slots=True, eq=False, repr=False)
class Frame:
    """One activation of a function, or of a module's top level (``code`` is None)."""

    module: ModuleIndex
    parsed: ParsedUnit
    code: Code | None
    qualname: str
    context: Context
    env: int
    closure: tuple[int, ...] = ()
    chain: Chain | None = None
    parent: Frame | None = None
    returned: Value | None = None
    return_state: State | None = None
    yielded: Value | None = None
    loops: list[LoopFrame] = field(default_factory=list)
    #: loops and comprehensions around the current point, outermost first
    enclosing_loops: list[cst.CSTNode] = field(default_factory=list)
    #: which turn it is in each of the loops around that are run turn by turn, outermost first
    turns: tuple[int, ...] = ()
    tries: list[TryFrame] = field(default_factory=list)
    partitions: int = 0
    #: the statement of the module above which the bindings of names count, if not all do
    statement: Unit | None = None
    globals: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    #: whether it is a starting point, so that nobody has chosen what it is given
    is_root: bool = False
    #: what a block around the current point has entered that makes operations run at once
    eager: str | None = None
    #: how to leave what was entered by a stack of context managers, for each such block around
    entered: tuple[list[Callable[[bool], None]], ...] = ()
    #: what runs where it yields, if it manages the block of a `with`
    block: Block | None = None
    #: for how many reasons nothing is reported of the rest of it
    doubts: int = 0
    #: why the last path ended here, None where what ended it may be otherwise when the code runs
    ending: Ending | None = None
    #: the one that was entered first of those that are active
    outermost: Frame = field(init=False)

    def __post_init__(self) -> None:
        self.outermost = self if self.parent is None else self.parent.outermost

    @property
    def exits(self) -> Exits:
        """The states in which paths have left the current block other than by an exception."""
        loop = self.loops[-1] if self.loops else LoopFrame()
        return self.return_state, loop.breaks, loop.continues

    @contextmanager
    def turn(self, index: int) -> Iterator[None]:
        """Run one turn of a loop by itself: what it makes is not what another one makes."""
        outer, self.turns = self.turns, (*self.turns, index)
        try:
            yield
        finally:
            self.turns = outer

    @property
    def in_test(self) -> bool:
        """Whether it is code of a test."""
        return is_test(self.module.path, self.qualname)
