"""Work that is dispatched so often that next to nothing of it is left when a clock is read.

A device has few executions in flight: whoever dispatches more waits for the first ones.  What a
transform that compiles nothing runs is dispatched operation by operation.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Set
from itertools import takewhile
from typing import Final

import libcst as cst

from jitlint.absint.code.conditions import conjuncts
from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import called_name, walk_own
from jitlint.absint.detectors.surroundings.loop_counters import few_turns
from jitlint.absint.detectors.surroundings.written import bound_to, own_above
from jitlint.absint.machine.clock_signals import WorkDispatched
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import LoopLeft, TraceLeft, TransformedCalled, observes
from jitlint.absint.operations.turns import full_turns
from jitlint.absint.values.domain import Const
from jitlint.jaxmodel.asynchrony import IN_FLIGHT, MANY_EXECUTIONS

#: operations that a function which somebody differentiates or maps has, or more
_OPERATIONS: Final = 32


class InFlight:
    """What is noted of loops, and of the transformed function that is being called.

    Attributes:
      turns: how often loops have run, by their nodes, where that is known.
      of_data: the loops that go through data, however much that is.
      executions: what dispatches something in each turn of loops, by their nodes.
      traced: whether anything was traced since host code called a transformed function.
      compiled: whether something was compiled as a whole meanwhile.
    """

    def __init__(self) -> None:
        self.turns: dict[int, int] = {}
        self.of_data: set[int] = set()
        self.executions: dict[int, set[int]] = {}
        self.traced = False
        self.compiled = False

    def fork(self) -> InFlight:
        """What a run knows that goes on from this one."""
        made = InFlight()
        made.turns = dict(self.turns)
        made.of_data = set(self.of_data)
        made.executions = {loop: set(nodes) for loop, nodes in self.executions.items()}
        return made


@observes(LoopLeft)
def _loop_left(it: Interpreter, loop: LoopLeft) -> None:
    if it.trace is None and not it.under:
        turns = full_turns(it, loop)
        if turns:
            it.observations(InFlight).turns[id(loop.node)] = turns
        elif _goes_through_data(it, loop.node.iter) or _takes_batches(loop.node):
            it.observations(InFlight).of_data.add(id(loop.node))


def _goes_through_data(it: Interpreter, node: cst.BaseExpression) -> bool:
    """Whether a loop takes batches, or counts them: of a whole data set there are many.

    A ``range`` of a plain number is how often somebody repeats something, rather few times.
    """
    while isinstance(node, cst.Call) and node.args and called_name(node) in _HANDING_ON:
        node = node.args[0].value
    if not isinstance(node, cst.Call) or called_name(node) not in ("range", "trange"):
        return not isinstance(node, (cst.List, cst.Tuple))
    return any(_counts_parts(it, arg.value) for arg in node.args)


def _takes_batches(loop: cst.For | cst.CompFor) -> bool:
    """Whether each turn of a loop takes the next of something: ``batch = next(batches)``."""
    return isinstance(loop, cst.For) and any(
        isinstance(inner, cst.Call) and called_name(inner) == "next"
        for inner in walk_own(loop.body)
    )


def _counts_parts(it: Interpreter, node: cst.BaseExpression) -> bool:
    """Whether a number is made of how much there is: ``len(images) // batch_size``."""
    sources = bound_to(it.frame, node.value) if isinstance(node, cst.Name) else [node]
    return any(
        (isinstance(inner, cst.BinaryOperation) and isinstance(inner.operator, cst.FloorDivide))
        or (isinstance(inner, cst.Call) and called_name(inner) in ("len", "ceil"))
        or (isinstance(inner, cst.Attribute) and inner.attr.value == "shape")
        for source in sources
        for inner in walk_own(source)
    )


_HANDING_ON: Final = frozenset({"enumerate", "iter", "list", "tqdm", "zip"})


@observes(TransformedCalled)
def _transformed_called(it: Interpreter, called: TransformedCalled) -> None:
    noted = it.observations(InFlight)
    noted.traced = noted.compiled = False


@observes(TraceLeft)
def _trace_left(it: Interpreter, left: TraceLeft) -> None:
    noted = it.observations(InFlight)
    row = it.row(left.transform)
    noted.traced = True
    noted.compiled |= row is None or row.staging


@observes(WorkDispatched)
def _work_dispatched(it: Interpreter, work: WorkDispatched) -> None:
    if it.trace is None and not it.under and it.frame.enclosing_loops:
        known = it.observations(InFlight).executions
        it.keep(work.node)
        for loop in it.frame.enclosing_loops:
            known.setdefault(id(loop), set()).add(id(work.node))


def is_by_operations(it: Interpreter, transform: str) -> bool:
    """Whether JAX was given the operations of a transformed function that was called just now.

    Args:
      it: the interpreter.
      transform: what made it.
    """
    row = it.row(transform)
    noted = it.observations(InFlight)
    return row is not None and not row.staging and noted.traced and not noted.compiled


def is_mostly_done(
    it: Interpreter, loops: Set[int], periods: Mapping[int, int], *, by_operations: bool
) -> bool:
    """Whether most of some work was waited for by whoever dispatched it again and again.

    What else is dispatched in each turn counts, however light it is: of 42 turns with a product of
    matrices and five operations on one row each, 10 % was left at the end, with fourteen 2 %.

    Args:
      it: the interpreter.
      loops: those that have dispatched it since a clock was read.
      periods: how many turns those run that read clocks in some turns only.
      by_operations: whether each turn dispatches many operations.
    """
    known = it.observations(InFlight)
    turns = {**known.turns, **periods}
    if by_operations and not loops <= turns.keys():
        return True
    if not known.of_data.isdisjoint(loops - turns.keys()):
        return True
    often = math.prod(turns.get(loop, 1) for loop in loops)
    in_turn = min((len(known.executions.get(loop, ())) for loop in loops), default=1)
    return often * max(in_turn, _OPERATIONS if by_operations else 1) >= MANY_EXECUTIONS


def turns_between(
    it: Interpreter, node: cst.CSTNode, around: Set[int], begun: Container[int]
) -> dict[int, int]:
    """How many turns pass until a clock is read again under ``if step % 100 == 0``, by the loop.

    Args:
      it: the interpreter.
      node: what reads the clock.
      around: the loops around the reading before that.
      begun: the place of that, and the calls that have led there.
    """
    found: dict[int, int] = {}
    period, begins_there = 0, False
    for outer, below in own_above(it.frame, node):
        if isinstance(outer, cst.If) and below is outer.body:
            period = max(period, _period(it, outer.test))
            if period and not begins_there:
                begins_there = any(id(inner) in begun for inner in walk_own(outer.body))
        elif isinstance(outer, (cst.For, cst.While)) and period:
            if begins_there or id(outer) not in around:
                found[id(outer)] = period
            period = 0
    return found


def is_told_rarely(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a duration of one turn is told of every hundredth alone: ``if step % 100 == 0``.

    By then a device has as many executions in flight as it takes, and a turn that dispatches
    another one waits for one to end: it takes as long as a step does.  Not so where the clock was
    read a hundred turns before: what is in flight is missing of a third of them.

    Args:
      it: the interpreter.
      node: the difference of two readings.
    """
    frame, started = it.frame, node.right if isinstance(node, cst.BinaryOperation) else None
    if not frame.enclosing_loops or not isinstance(started, cst.Name):
        return False
    loop = frame.enclosing_loops[-1]
    if not _is_bound_in_each_turn(frame, loop, started.value):
        return False
    if few_turns(it, loop, IN_FLIGHT) is not None:
        return False
    return any(
        _divisor(it, inner) > IN_FLIGHT
        for outer in _between(frame, node, loop)
        if isinstance(outer, cst.If)
        for inner in walk_own(outer.test)
        if isinstance(inner, cst.BinaryOperation)
    )


def _is_bound_in_each_turn(frame: Frame, loop: cst.CSTNode, name: str) -> bool:
    """Whether a loop gives a name a value whatever happens in a turn of it."""
    return any(
        any(name in target_names(each.target) for each in inner.targets)
        and not any(isinstance(outer, cst.If) for outer in _between(frame, inner, loop))
        for inner in walk_own(loop)
        if isinstance(inner, cst.Assign)
    )


def _between(frame: Frame, node: cst.CSTNode, loop: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What is around a node, up to a loop."""
    return takewhile(lambda outer: outer is not loop, frame.parsed.above(node))


def _period(it: Interpreter, test: cst.BaseExpression) -> int:
    """Of how many turns in a row a test holds in one: of 100 if it is ``step % 100 == 0``."""
    found = 0
    for part in conjuncts(test):
        inner: cst.BaseExpression | None = None
        if isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
            inner = part.expression
        elif isinstance(part, cst.Comparison) and len(part.comparisons) == 1:
            equal = isinstance(part.comparisons[0].operator, cst.Equal)
            inner = part.left if equal else None
        if isinstance(inner, cst.BinaryOperation):
            found = max(found, _divisor(it, inner))
    return found


def _divisor(it: Interpreter, node: cst.BinaryOperation) -> int:
    """By what number another one is divided to see what is left: 100 of ``step % 100``, or 0."""
    if not isinstance(node.operator, cst.Modulo):
        return 0
    with it.speculating():
        value = it.ev(node.right)
    if isinstance(value, Const):
        return value.value if type(value.value) is int else 0
    # `config.log_every`, or a parameter: as often as somebody wants to read of it.
    code, right = it.frame.code, node.right
    asked = code is not None and any(
        isinstance(right, cst.Name) and each.name == right.value for each in code.parameters
    )
    return MANY_EXECUTIONS if asked or isinstance(right, cst.Attribute) else 0
