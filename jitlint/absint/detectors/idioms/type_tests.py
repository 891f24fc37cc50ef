"""Type tests that a Python scalar would pass and the tracer it became does not.

They are of note only where the code goes on without a word: what is reported is taken back if every
way from the test to the end of the trace raises, asks next whether the value is an array, asks it
for its shape or dtype, or meets another report on it.  Where all that hangs on the test is that a
number becomes an array, nothing is missing: the tracer is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

import libcst as cst

from jitlint.absint.detectors.surroundings.traces import gives_shapes
from jitlint.absint.detectors.surroundings.written import bindings, nodes_around
from jitlint.absint.events import Event, TypeTest, event_key
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArrayExpected,
    AskedAsArray,
    TraceLeft,
    TypeTestFailed,
    ValueRefused,
    in_state,
    observes,
)
from jitlint.absint.values.domain import Array, External, Origin, Tree
from jitlint.absint.values.heap import Slot
from jitlint.jaxmodel.functions import constant

#: functions that make an array of a number, and give an array as it is
_CONVERSIONS: Final = frozenset(
    {"jax.numpy.array", "jax.numpy.asarray", "numpy.array", "numpy.asarray"}
)
#: names an event
_Key = tuple[int, str]


@in_state
class FailedTests(Slot):
    """The type tests that failed on a way to a point of the program.

    Attributes:
      tests: those that failed.
      answered: those of whose value some way from them asks what only arrays have.
    """

    __slots__ = ("answered", "tests")

    def __init__(
        self, tests: frozenset[_Key] = frozenset(), answered: frozenset[_Key] = frozenset()
    ) -> None:
        self.tests = tests
        self.answered = answered

    def join(self, other: FailedTests) -> FailedTests:
        """Those of either way."""
        return FailedTests(self.tests | other.tests, self.answered | other.answered)

    def by_subject(self) -> Mapping[Hashable, object]:
        """The tests, and whether they are answered."""
        return {each: each in self.answered for each in self.tests | self.answered}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FailedTests)
            and self.tests == other.tests
            and self.answered == other.answered
        )

    __hash__ = None


class Pending:
    """Reports on type tests, until it is known how the trace goes on.

    Attributes:
      tests: those of the trace that runs.
      withdrawn: what was taken back; a later trace that meets the test again may bring it back.
    """

    def __init__(self) -> None:
        self.tests: set[_Key] = set()
        self.withdrawn: dict[_Key, Event] = {}

    def fork(self) -> Pending:
        """What a run knows that goes on from this one: nothing."""
        return Pending()


@observes(TypeTestFailed)
def _failed(it: Interpreter, failed: TypeTestFailed) -> None:
    *_, outermost = it.traces()
    if gives_shapes(it, outermost):
        # `jax.eval_shape(f, 0)`: the number stands for an array, and nothing is computed.
        return
    node = failed.node
    if _only_converts(it, node):
        return
    key = event_key(node, TypeTest)
    known = key in it.events
    kind = failed.python_type
    it.emit(
        TypeTest, node, failed.value, operand=_tested(node), test=it.text(node), python_type=kind
    )
    if key in it.events:
        it.edit_slot(FailedTests).tests |= {key}
        if not known:
            it.observations(Pending).tests.add(key)


def _only_converts(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether what a test leads to only makes an array of what is tested.

    ``if isinstance(x, float): x = jnp.asarray(x)`` and ``jnp.float32(x) if ... else x``.
    """
    operand = it.text(_tested(node))
    for around in nodes_around(it.frame):
        if type(around) is cst.IfExp and _asked_by(around.test, node):
            whole = it.text(around.orelse) == operand
            return whole and _is_conversion(it, around.body, operand)
        if type(around) is cst.If and _asked_by(around.test, node):
            bound = list(bindings(around.body))  # those of one that is unpacked have no value
            statements = around.body.body
            return (
                around.orelse is None
                and len(bound) == len(statements) > 0
                and all(
                    it.text(target) == operand
                    and value is not None
                    and _is_conversion(it, value, operand)
                    for target, value in bound
                )
            )
    return False


def _asked_by(test: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a condition holds where a test in it does: it is that, or an alternative of it."""
    if type(test) is cst.BooleanOperation and type(test.operator) is cst.Or:
        return _asked_by(test.left, node) or _asked_by(test.right, node)
    return test is node


def _is_conversion(it: Interpreter, value: cst.CSTNode, operand: str) -> bool:
    """``jnp.asarray(x, dtype)``, ``np.float32(x)``: the value of a number as an array."""
    if type(value) is not cst.Call or not value.args or it.text(value.args[0].value) != operand:
        return False
    with it.speculating():
        function = it.ev(value.func)
    if not isinstance(function, External):
        return False
    return function.name in _CONVERSIONS or constant(function.name) == "dtype"


@observes(ArrayExpected)
def _expected(it: Interpreter, expected: ArrayExpected) -> None:
    """``elif isinstance(n, jax.Array)``: arrays have a branch of their own, which tracers take."""
    tests = it.slot(FailedTests).tests
    if tests:
        operand = it.text(_tested(expected.node))
        answered = {key for key in tests if _asks(it, key, operand)}
        if answered:
            it.edit_slot(FailedTests).tests = tests - answered


@observes(ValueRefused)
def _refused(it: Interpreter, refused: ValueRefused) -> None:
    """The branch that the test leads to raises on the same value: nothing is silent there."""
    told = _tests_of(it, refused.value)
    if told:
        it.edit_slot(FailedTests).tests -= told


@observes(AskedAsArray)
def _asked(it: Interpreter, asked: AskedAsArray) -> None:
    """The branch that the test leads to takes the same value for an array: it is the right one.

    Other ways from the test do not change that: a ``try`` around the question has one that never
    came to it.
    """
    told = _tests_of(it, asked.value)
    if told:
        it.edit_slot(FailedTests).answered |= told


def _tests_of(it: Interpreter, value: Array | Tree) -> set[_Key]:
    """The tests of a value that failed on the way that runs."""
    tests = it.slot(FailedTests).tests
    source = _source(value.origin) if tests else None
    if source is None:
        return set()
    known = {key: event for key in tests if (event := _event(it, key)) is not None}
    return {key for key, event in known.items() if _source(event.chain[1]) is source}


def _source(origin: Origin | None) -> cst.CSTNode | None:
    """Where a traced value comes from in the end, None if that is not known."""
    while origin is not None and origin.previous is not None:
        origin = origin.previous
    return None if origin is None else origin.place.node


def _event(it: Interpreter, key: _Key) -> Event | None:
    return it.events.get(key) or it.observations(Pending).withdrawn.get(key)


def _asks(it: Interpreter, key: _Key, operand: str) -> bool:
    """Whether a test that failed was one of the same value, in the function that runs."""
    event = _event(it, key)
    return event is not None and event.operand == operand and event.function == it.frame.qualname


def _tested(node: cst.CSTNode) -> cst.CSTNode:
    """What is tested: in ``isinstance(n, int)``, ``type(n) is int``, ``flag is True``."""
    tested = node.left if isinstance(node, cst.Comparison) else node
    return tested.args[0].value if isinstance(tested, cst.Call) and tested.args else tested


@observes(TraceLeft)
def _left(it: Interpreter, left: TraceLeft) -> None:
    """The outermost trace is over: only tests that it did not raise after count."""
    if it.trace is None or it.trace.outer is not None:
        return
    pending = it.observations(Pending)
    if not (pending.tests or pending.withdrawn):
        return
    passed = frozenset[_Key]()
    if left.result is not None:
        failed = it.slot(FailedTests)
        passed = failed.tests - failed.answered
    for key in pending.tests - passed:
        pending.withdrawn[key] = it.events[key]
        it.withdraw(key)
    for key in passed & pending.withdrawn.keys():
        it.events[key] = pending.withdrawn.pop(key)
    pending.tests.clear()
    if it.slot(FailedTests).tests:
        failed = it.edit_slot(FailedTests)
        failed.tests = failed.answered = frozenset()
