"""Loops: a few unlike elements one by one, everything else to a fixpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import dotted, walk_own
from jitlint.absint.events import Loop
from jitlint.absint.limits import UNROLLED
from jitlint.absint.machine.frames import LoopFrame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import LoopLeft
from jitlint.absint.machine.verbs import executes
from jitlint.absint.operations.iteration import taken_apart, walked
from jitlint.absint.program.buffers import taken_out
from jitlint.absint.python.assignment import assign
from jitlint.absint.python.branches import doubts
from jitlint.absint.python.narrowing import assume, assuming
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    BoundMethod,
    Function,
    Partial,
    Range,
    Ref,
    Transformed,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.forwarding import without_operands
from jitlint.absint.values.heap import Instance, State, Variables
from jitlint.absint.values.lattice import join_states, prefer_traced, widen_states
from jitlint.absint.values.told import told_of, with_told

_Loop = cst.For | cst.While


@executes(cst.For)
def _for(it: Interpreter, node: cst.For) -> None:
    iterable = it.ev(node.iter)
    element, items = walked(it, iterable, node.iter, node)
    operations = it.operations
    if items is not None and len(items) == 0:
        _run_else(it, node)
    elif items is not None and _is_unrolled(it, items):
        _unroll(it, node, items)
    else:
        if isinstance(element, Tuple):
            element = _with_exclusive_choices(node, element)
        elif isinstance(element, Array) and _takes_keys(node):
            element = UNKNOWN
        counted = isinstance(iterable, Range) and iterable.length > 0
        _iterate_to_fixpoint(it, node, element, runs_once=items is not None or counted)
    it.signal(LoopLeft(node, iterable, items, it.operations > operations))


def _takes_keys(node: cst.For) -> bool:
    """Whether a loop takes keys, whatever an annotation says: ``for name in sums: sums[name]``."""
    mapping = dotted(node.iter)
    if mapping is None or not isinstance(node.target, cst.Name):
        return False
    return any(
        type(inner) is cst.Subscript
        and len(inner.slice) == 1
        and type(inner.slice[0].slice) is cst.Index
        and dotted(inner.slice[0].slice.value) == node.target.value
        and dotted(inner.value) == mapping
        for inner in walk_own(node.body)
    )


def _is_unrolled(it: Interpreter, items: Sequence[Value]) -> bool:
    """Whether a loop runs once for each of its elements: they differ, and are not too many.

    Or there is one: what its turn leaves is what there is.
    """
    unlike = len(items) == 1 or any(item != items[0] for item in items)
    return unlike and taken_apart(it, items, UNROLLED)


@executes(cst.While)
def _while(it: Interpreter, node: cst.While) -> None:
    _iterate_to_fixpoint(it, node, None, runs_once=False)


def _with_exclusive_choices(node: cst.For, element: Tuple) -> Tuple:
    """The parts of an element of which a loop asks one what to do with another.

    ``for kind, function in TABLE.items(): if kind == "mesh": ...``: not every function of the table
    gets to every call.
    """
    targets = node.target
    if not isinstance(targets, cst.Tuple) or not any(map(_are_callables, element.items)):
        return element
    names = [part.value.value for part in targets.elements if isinstance(part.value, cst.Name)]
    tests = (inner.test for inner in walk_own(node.body) if isinstance(inner, (cst.If, cst.IfExp)))
    tested = {
        inner.value
        for test in tests
        for inner in walk_own(test)
        if isinstance(inner, cst.Name) and inner.value in names
    }
    if len(names) != len(element.items) or not tested:
        return element
    items = (
        Union(item.members, exclusive=True)
        if isinstance(item, Union) and _are_callables(item) and tested != {name}
        else item
        for name, item in zip(names, element.items, strict=True)
    )
    return Tuple(tuple(items), element.cls)


def _are_callables(value: Value) -> bool:
    return isinstance(value, Union) and all(
        isinstance(member, (Function, BoundMethod, Partial, Transformed))
        for member in value.members
    )


@contextmanager
def _inside(it: Interpreter, node: _Loop) -> Iterator[LoopFrame]:
    """Run something in the body of a loop."""
    loop = LoopFrame()
    it.frame.loops.append(loop)
    it.frame.enclosing_loops.append(node)
    try:
        yield loop
    finally:
        it.frame.loops.pop()
        it.frame.enclosing_loops.pop()


def _unroll(it: Interpreter, node: cst.For, items: Sequence[Value]) -> None:
    """A short loop over unlike things, iteration by iteration."""
    before = it.state
    state: State | None = before
    with _inside(it, node) as loop:
        for index, item in enumerate(items):
            if state is None:
                break
            if it.finishing:
                # The other iterations may change all that the first ones changed.
                state = widen_states(before, state)
                break
            it.state = state
            with it.frame.turn(index):
                assign(it, node.target, item, node.iter)
                loop.continues = None
                ended = it.run_from(it.state, node.body.body)
            state = join_states(ended, loop.continues)
    _leave(it, node, state, loop)


def _iterate_to_fixpoint(
    it: Interpreter, node: _Loop, element: Value | None, *, runs_once: bool
) -> None:
    """A loop whose iterations are run from one state, until that covers the end of each.

    Args:
      it: the interpreter, in the state before the loop.
      node: the loop.
      element: what each iteration of a ``for`` binds.
      runs_once: whether there is at least one iteration.
    """
    _release_operands(it, node)
    left = it.frame.exits
    head = it.state.copy()
    told = it.told_by_turns(head)
    exits: State | None = None
    for iteration in range(it.limits.loop_rounds):
        with _inside(it, node) as loop:
            try:
                it.state = head.copy()
                if isinstance(node, cst.While):
                    truth = it.condition(node.test, Loop)
                    exits = None if truth is True else assuming(it, node.test, False)
                    if truth is False:
                        break
                    assume(it, node.test, True)
                else:
                    assert element is not None
                    exits = it.state.copy()
                    assign(it, node.target, taken_out(it, element), node.iter)
                ended = it.run_from(it.state, node.body.body)
            except Terminated:
                ended = None
        back = join_states(ended, loop.continues)
        if iteration == 0 and back is not None and it.told_by_turns(back) != told:
            back = _after_second_turn(it, node, element, back)
        if back is None:
            if runs_once and iteration == 0:
                exits = None
            break
        merged = join_states(head, back)
        assert merged is not None
        prefer_traced(head, back, merged)
        if merged.heap == head.heap:
            if runs_once and iteration == 0:
                exits = back
            break
        if iteration >= it.limits.loop_rounds - 2 or it.finishing:
            merged = widen_states(head, merged)
        if runs_once:
            exits = back
        head = merged
    else:
        loop = LoopFrame()
    endless = exits is None and loop.breaks is None
    if endless and isinstance(node, cst.While) and doubts(it, node.test, left):
        exits = head
    _leave(it, node, exits, loop)


def _after_second_turn(
    it: Interpreter, node: _Loop, element: Value | None, first: State
) -> State | None:
    """What a loop leaves after one turn or two, the second one run on what the first has left."""
    with _inside(it, node) as loop, suppress(Terminated):
        it.state = first.copy()
        if isinstance(node, cst.While):
            if it.condition(node.test, Loop) is False:
                return first
            assume(it, node.test, True)
        elif element is not None:
            assign(it, node.target, taken_out(it, element), node.iter)
        loop.continues = join_states(it.run_from(it.state, node.body.body), loop.continues)
    return join_states(first, loop.continues)


def _leave(it: Interpreter, node: _Loop, state: State | None, loop: LoopFrame) -> None:
    """Go on behind a loop that ended in ``state``, or by ``break``."""
    if state is not None:
        it.state = state
        _run_else(it, node)
        state = it.state
    state = join_states(state, loop.breaks)
    if state is None:
        raise Terminated
    it.state = state


def _run_else(it: Interpreter, node: _Loop) -> None:
    if node.orelse is not None:
        it.run(node.orelse.body.body)


def _release_operands(it: Interpreter, node: _Loop) -> None:
    """What a loop binds again is no longer the operand, or as told by tests, that it was before."""
    contents = it.contents(it.frame.env)
    operands = [
        (name, made)
        for name, value in (contents.items() if isinstance(contents, Variables) else ())
        if (made := with_told(without_operands(value), None)) is not value
    ]
    for name, made in operands:
        if name in it.frame.parsed.fact(_bound_within, node):
            it.variables(it.frame.env)[name] = made
    stored = it.frame.parsed.fact(_stored_within, node)
    for value in list(contents.values()) if stored and isinstance(contents, Variables) else ():
        held = it.contents(value) if isinstance(value, Ref) else None
        if isinstance(value, Ref) and isinstance(held, Instance):
            for name in stored & held.attributes.keys():
                if told_of(held.attributes[name]) is not None:
                    it.edit(value).attributes[name] = with_told(held.attributes[name], None)


def _stored_within(node: _Loop) -> frozenset[str]:
    """The attributes that a loop sets, of whichever object."""
    targets = (
        inner.target
        for inner in walk_own(node)
        if isinstance(inner, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))
    )
    return frozenset(each.attr.value for each in targets if isinstance(each, cst.Attribute))


def _bound_within(node: _Loop) -> frozenset[str]:
    """The names that a loop binds, or waits for."""
    targets = (
        inner.target
        for inner in walk_own(node)
        if isinstance(inner, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For))
    )
    asked = walk_own(node.test) if isinstance(node, cst.While) else ()
    names = {inner.value for inner in asked if isinstance(inner, cst.Name)}
    return frozenset(names.union(*map(target_names, targets)))
