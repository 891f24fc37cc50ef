"""Displays and comprehensions: tuples, lists, sets and dicts as they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.events import Branch
from jitlint.absint.limits import APART
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Kept, LoopLeft
from jitlint.absint.machine.verbs import evaluates
from jitlint.absint.operations.hashing import check_hashable
from jitlint.absint.operations.iteration import dict_contents, laid_out, taken_apart, walked
from jitlint.absint.program.buffers import taken_out
from jitlint.absint.python.assignment import assign
from jitlint.absint.python.narrowing import assume
from jitlint.absint.values.domain import UNKNOWN, Tree, Tuple, Value
from jitlint.absint.values.heap import DictObject, ListObject, SetObject
from jitlint.absint.values.lattice import join_all, loosen, set_key, update_dict


def _elements(
    it: Interpreter, elements: Sequence[cst.BaseElement]
) -> tuple[tuple[Value, ...] | None, Value]:
    """The elements of a display: all of them if known, and one value that stands for each."""
    items: list[Value] | None = []
    each: list[Value] = []
    for element in elements:
        value = it.ev(element.value)
        starred = type(element) is cst.StarredElement
        part, known = laid_out(it, value, element.value) if starred else (value, (value,))
        each.extend((part,) if known is None else known)
        if known is None:
            items = None
        elif items is not None:
            items.extend(known)
    if items is not None and len(items) > it.limits.items:
        items = None
    return (None if items is None else tuple(items)), join_all(each)


@evaluates(cst.Tuple)
def _tuple(it: Interpreter, node: cst.Tuple) -> Value:
    items, element = _elements(it, node.elements)
    if items is None:
        return it.allocate(node, ListObject(None, element), "tuple")
    return Tuple(items)


@evaluates(cst.List)
def _list(it: Interpreter, node: cst.List) -> Value:
    items, element = _elements(it, node.elements)
    for item in items or ():
        it.signal(Kept(item))
    return it.allocate(node, ListObject(items, element, mutable=True))


@evaluates(cst.Set)
def _set(it: Interpreter, node: cst.Set) -> Value:
    values = [it.ev(element.value) for element in node.elements]
    for element, value in zip(node.elements, values, strict=True):
        if check_hashable(it, value, element.value, "set element"):
            break
    unpacked = [type(element) is cst.StarredElement for element in node.elements]
    filled = None if all(unpacked) else True
    return it.allocate(node, SetObject(join_all(values), filled=filled, mutable=True))


@evaluates(cst.Dict)
def _dict(it: Interpreter, node: cst.Dict) -> Value:
    made = DictObject({}, None)
    for element in node.elements:
        if type(element) is cst.DictElement:
            _add_entry(it, made, element.key, element.value)
        elif type(element) is cst.StarredDictElement:
            other = it.ev(element.value)
            contents = dict_contents(it, other)
            if contents is None:
                contents = DictObject({}, other if isinstance(other, Tree) else UNKNOWN)
            update_dict(made, contents)
    return it.allocate(node, made)


def _add_entry(
    it: Interpreter, made: DictObject, key_node: cst.BaseExpression, node: cst.BaseExpression
) -> Value:
    key = it.ev(key_node)
    value = it.ev(node)
    check_hashable(it, key, key_node, "dict key")
    it.signal(Kept(value))
    set_key(made, key, value)
    return value


# -- comprehensions -------------------------------------------------------------------------------


def _comprehend(
    it: Interpreter, node: cst.CompFor, produce: Callable[[], Value]
) -> tuple[list[Value], bool]:
    """Run a comprehension; the values produced, and whether they are all, in order."""
    iterable = it.ev(node.iter)
    element, items = walked(it, iterable, node.iter, node.iter)
    operations = it.operations
    variables = it.variables(it.frame.env)
    saved = {name: variables.get(name) for name in target_names(node.target)}
    produced: list[Value] = []
    exact = items is not None and taken_apart(it, items, APART)
    told = None if exact else it.told_by_turns(it.state)

    def turn(index: int, item: Value) -> None:
        nonlocal exact
        with it.frame.turn(index):
            assign(it, node.target, item, node.iter)
            values, sure = _iteration(it, node, produce)
        produced.extend(values)
        exact = exact and sure

    it.frame.enclosing_loops.append(node)
    try:
        if exact and items is not None:
            for index, item in enumerate(items):
                turn(index, item)
        else:
            turn(0, taken_out(it, element))
            if told is not None and it.told_by_turns(it.state) != told:
                # The turn after that is run on what the first one has left.
                turn(0, taken_out(it, element))
    finally:
        it.frame.enclosing_loops.pop()
        variables = it.variables(it.frame.env)
        for name, value in saved.items():
            if value is None:
                variables.pop(name, None)
            else:
                variables[name] = value
    it.signal(LoopLeft(node, iterable, items, it.operations > operations))
    return produced, exact


def _iteration(
    it: Interpreter, node: cst.CompFor, produce: Callable[[], Value]
) -> tuple[list[Value], bool]:
    """What one element gives: one more level of nesting, or what the comprehension produces."""
    sure = True
    # Without a test nothing is narrowed.
    before = it.state.copy() if node.ifs else it.state
    for test in node.ifs:
        decided = it.condition(test.test, Branch, construct="comprehension if")
        if decided is False:
            return [], sure
        if decided is None:
            sure = False
        assume(it, test.test, True)
    if node.inner_for_in is not None:
        result, inner = _comprehend(it, node.inner_for_in, produce)
        sure = sure and inner
    else:
        result = [produce()]
    if node.ifs:
        # What a test narrowed holds for this iteration only.
        env = it.frame.env
        it.variables(env).update(before.get(env) or {})
    return result, sure


@evaluates(cst.ListComp)
def _list_comprehension(it: Interpreter, node: cst.ListComp) -> Value:
    values, exact = _comprehend(it, node.for_in, lambda: it.ev(node.elt))
    for value in values:
        it.signal(Kept(value))
    items = tuple(values) if exact else None
    return it.allocate(node, ListObject(items, join_all(values), mutable=True))


@evaluates(cst.GeneratorExp)
def _generator(it: Interpreter, node: cst.GeneratorExp) -> Value:
    values, exact = _comprehend(it, node.for_in, lambda: it.ev(node.elt))
    made = ListObject(tuple(values) if exact else None, join_all(values), iterator=True)
    return it.allocate(node, made, "generator")


@evaluates(cst.SetComp)
def _set_comprehension(it: Interpreter, node: cst.SetComp) -> Value:
    values, _ = _comprehend(it, node.for_in, lambda: it.ev(node.elt))
    for value in values:
        check_hashable(it, value, node.elt, "set element")
    return it.allocate(node, SetObject(join_all(values), mutable=True))


@evaluates(cst.DictComp)
def _dict_comprehension(it: Interpreter, node: cst.DictComp) -> Value:
    made = DictObject({}, None)
    _, exact = _comprehend(it, node.for_in, lambda: _add_entry(it, made, node.key, node.value))
    if not exact:
        loosen(made)
    return it.allocate(node, made)
