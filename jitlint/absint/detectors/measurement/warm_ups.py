"""Durations that need no waiting: compiling takes the most of them, or the next one goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise, takewhile
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Place, target_names
from jitlint.absint.code.syntax import called_name, children, walk
from jitlint.absint.detectors.surroundings.paths import names_given, names_in
from jitlint.absint.detectors.surroundings.written import asked_once, bindings, root_name
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import External, Unknown

#: what runs its code more than once, or later
_REPEATS: Final = (cst.For, cst.While, cst.FunctionDef, cst.Lambda)


def needs_no_wait(
    it: Interpreter,
    duration: cst.CSTNode,
    works: Collection[Place],
    first: Collection[Place],
) -> bool:
    """Whether it makes no difference to a duration that nobody waits for what was dispatched.

    Args:
      it: the interpreter, in the function that measures.
      duration: the difference of two readings of a clock in its code.
      works: the calls that were dispatched in between, and that nobody has waited for.
      first: those that compile what they call.
    """
    frame = it.frame
    return bool(works) and (
        _is_warm_up(frame, duration, works, first)
        or _is_told_anew(frame, duration, works)
        or _is_part_of_sum(frame, duration)
        or _is_stamp(it, duration, works)
    )


def _is_warm_up(
    frame: Frame, duration: cst.CSTNode, works: Collection[Place], first: Collection[Place]
) -> bool:
    """Whether a duration is that of first calls, of functions that are called on and on below.

    A call compiles before it returns, and takes far longer for that than for what it dispatches.
    """
    if frame.code is None or frame.enclosing_loops or not first:
        return False
    compiled = {_called(frame, place) for place in first}
    return all(
        name is not None and name in compiled and name in _used_below(frame, duration)
        for name in (_called(frame, place) for place in works)
    )


def _called(frame: Frame, place: Place) -> str | None:
    """The name of what a call in the code that measures calls, None for any other."""
    node = place.node
    if place.parsed is not frame.parsed or not isinstance(node, cst.Call):
        return None
    return node.func.value if isinstance(node.func, cst.Name) else None


@asked_once
def _used_below(frame: Frame, place: cst.CSTNode) -> frozenset[str]:
    """The names that are called in a loop below a place, or handed to somebody who may do so."""
    assert frame.code is not None and frame.code.node is not None
    function = frame.code.node
    called: set[int] = set()
    found: set[str] = set()
    bound_again: set[str] = set()
    for inner in _below(function, place):
        if isinstance(inner, cst.Call):
            called.add(id(inner.func))
        elif isinstance(inner, cst.AssignTarget):
            bound_again.update({*target_names(inner.target)} - found)
        elif isinstance(inner, cst.Name) and inner.value not in bound_again:
            around = takewhile(lambda outer: outer is not function, frame.parsed.above(inner))
            if id(inner) not in called or any(isinstance(outer, _REPEATS) for outer in around):
                found.add(inner.value)
    return frozenset(found)


def _below(function: cst.CSTNode, place: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes of a function, of those nested in it as well, that come after one of them."""
    stack, below = [function], False
    while stack:
        current = stack.pop()
        if below:
            yield current
        below = below or current is place
        stack += reversed(children(current))


def _is_told_anew(frame: Frame, duration: cst.CSTNode, works: Collection[Place]) -> bool:
    """Whether a duration in a loop counts from when results of the turn before were waited for.

    ``seconds = time.time() - start``, ``start = time.time()``, and then ``float(loss)``: no time is
    lost between turns, and what is pending at the end of one is measured by the next.
    """
    if not frame.enclosing_loops or not isinstance(duration, cst.BinaryOperation):
        return False
    rest = _behind(frame, duration)
    if not rest or not _sets(rest[0], duration.right, duration.left):
        return False
    loop = frame.enclosing_loops[-1]
    if sum(target.deep_equals(duration.right) for target, _ in bindings(loop)) != 1:
        # Another duration of the same turn is counted from there.
        return False
    names = {name for place in works for name in names_given(frame, place.node)}
    return any(
        called_name(inner) in _WAITING and not names.isdisjoint(names_in(inner))
        for statement in rest[1:]
        for inner in walk(statement)
    )


def _is_stamp(it: Interpreter, duration: cst.CSTNode, works: Collection[Place]) -> bool:
    """Whether a duration in a loop says how long a program has run when a result is told.

    ``log({"seconds": time.time() - start, "loss": loss})``: each turn waits for its loss there, so
    that all but the last turn are over.
    """
    frame = it.frame
    started = duration.right if isinstance(duration, cst.BinaryOperation) else None
    loops = frame.enclosing_loops
    if not loops or not isinstance(started, cst.Name):
        return False
    if any(target.deep_equals(started) for target, _ in bindings(loops[0])):
        return False
    names = {name for place in works for name in names_given(frame, place.node)}
    statement = next(
        (each for each in frame.parsed.above(duration) if isinstance(each, cst.BaseStatement)), None
    )
    told = () if statement is None else (statement, *_behind(frame, duration))
    return bool(names) and any(
        isinstance(inner, cst.Call) and _waits(it, inner) and not names.isdisjoint(names_in(inner))
        for each in told
        for inner in walk(each)
    )


def _waits(it: Interpreter, call: cst.Call) -> bool:
    """Whether a call may wait for what it is given: none of JAX, nor of the project's own code."""
    if called_name(call) in _WAITING:
        return True
    root = root_name(call.func)
    value = None if root is None else it.look_up(root)
    if isinstance(value, External):
        return value.name.partition(".")[0] not in ("builtins", "jax", "numpy", "optax")
    return root == "print" or isinstance(value, Unknown)


@asked_once
def _is_part_of_sum(frame: Frame, duration: cst.CSTNode) -> bool:
    """Whether a duration only counts in sums with others that were taken after it.

    ``rollout = time.time() - start``, ``start = time.time()``, ``update = time.time() - start`` and
    then ``steps / (rollout + update)``: what is pending at the end of the one is waited for in the
    other, of which it is said where it is not.
    """
    name = _only_name(next(frame.parsed.above(duration), None))
    if name is None or frame.code is None:
        return False
    later = {
        other
        for statement in _behind(frame, duration)
        if isinstance(statement, cst.SimpleStatementLine)
        for inner in statement.body
        if (other := _only_name(inner)) and _is_difference(inner)
    }
    uses = [
        next(frame.parsed.above(node))
        for node in frame.code.own_nodes
        if isinstance(node, cst.Name)
        and node.value == name
        and not isinstance(next(frame.parsed.above(node)), cst.AssignTarget)
    ]
    return bool(uses) and all(
        isinstance(use, cst.BinaryOperation)
        and isinstance(use.operator, cst.Add)
        and any(isinstance(s, cst.Name) and s.value in later for s in (use.left, use.right))
        for use in uses
    )


def _only_name(statement: cst.CSTNode | None) -> str | None:
    """The one name that a statement binds."""
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    return target.value if isinstance(target, cst.Name) else None


def _is_difference(statement: cst.CSTNode) -> bool:
    """``time.time() - start``."""
    value = statement.value if isinstance(statement, cst.Assign) else None
    return (
        isinstance(value, cst.BinaryOperation)
        and isinstance(value.operator, cst.Subtract)
        and isinstance(value.left, cst.Call)
    )


def _behind(frame: Frame, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The statements of a block behind the one in which a node stands."""
    for statement, block in pairwise(frame.parsed.above(node)):
        if isinstance(statement, cst.SimpleStatementLine) and isinstance(block, cst.IndentedBlock):
            return [*block.body[block.body.index(statement) + 1 :]]
    return []


def _sets(statement: cst.CSTNode, target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Whether a statement is an assignment as it would be written."""
    return isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(inner, cst.Assign)
        and inner.targets[0].target.deep_equals(target)
        and inner.value.deep_equals(value)
        for inner in statement.body
    )


#: what waits for what it is given, or called on
_WAITING: Final = frozenset(
    "array asarray block_until_ready bool device_get float int item tolist".split()
)
