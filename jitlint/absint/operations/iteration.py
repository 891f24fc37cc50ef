"""Iteration: what a value gives, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.machine.clock_signals import Asked
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Advanced
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.machine.verbs import iterations_of
from jitlint.absint.program.buffers import reads
from jitlint.absint.program.captures import note_entry
from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    INT,
    NDARRAY,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    BoundMethod,
    Certainty,
    Class,
    Const,
    External,
    Function,
    Partial,
    Range,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.forwarding import one_of_many
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import Elements, join_all, join_elements

#: elements of an array whose slices JAX dispatches without waiting
_AT_ONCE: Final = 100
_NOTHING_KNOWN: Elements = (UNKNOWN, None)


@iterations_of(object, Value)
def _unknown(it: Interpreter, value: Value, node: cst.CSTNode) -> Elements:
    return _NOTHING_KNOWN


@iterations_of(Union)
def _any_of(it: Interpreter, value: Union, node: cst.CSTNode) -> Elements:
    return join_all([it.iterate(member, node)[0] for member in value.members]), None


@iterations_of(Tuple)
def _tuple(it: Interpreter, value: Tuple, node: cst.CSTNode) -> Elements:
    return join_all(value.items), value.items


@iterations_of(ListObject)
def _list(it: Interpreter, value: Ref, node: cst.CSTNode) -> Elements:
    contents = it.contents(value)
    if contents.items == () and may_be_filled(it, value):
        return _NOTHING_KNOWN
    if contents.items is None:
        return one_of_many(contents.element), None
    return contents.element, contents.items


@iterations_of(DictObject)
def _dict(it: Interpreter, value: Ref, node: cst.CSTNode) -> Elements:
    contents = it.contents(value)
    closed = contents.rest is None and len(contents.items) <= it.limits.items
    if not closed or (not contents.items and may_be_filled(it, value)):
        return STATIC, None
    keys = tuple(Const(key) for key in contents.items)
    return join_all(keys), keys


@iterations_of(SetObject)
def _set(it: Interpreter, value: Ref, node: cst.CSTNode) -> Elements:
    return one_of_many(it.contents(value).element), None


@iterations_of(Array)
def _array(it: Interpreter, value: Array, node: cst.CSTNode) -> Elements:
    if value.rank == 0:
        return _NOTHING_KNOWN
    if it.trace is None and not _is_short(value):
        it.signal(Asked((value,), (node,)))
    return _elements(it, value, node)


def unpacked(it: Interpreter, value: Value, node: cst.CSTNode, count: int) -> Elements:
    """What iterating a value gives that has so many elements, or cannot be taken apart so."""
    if isinstance(value, Array) and value.rank != 0 and count < _AT_ONCE:
        return _elements(it, value, node)
    return it.iterate(value, node)


def _elements(it: Interpreter, value: Array, node: cst.CSTNode) -> Elements:
    reads(it, ((value, node),))
    rank = None if value.rank is None else value.rank - 1
    return array_result(it, (value,), dtype=value.dtype, rank=rank, node=node), None


def _is_short(value: Array) -> bool:
    """Whether a known number of elements is so small that their slices are only dispatched.

    Observed under JAX 0.10.2 on a CPU: up to 99 are there at once, for 100 and more JAX waits.
    """
    shape = None if value.extent is None else value.extent.shape
    return shape is not None and len(shape) > 0 and shape[0] < _AT_ONCE


@iterations_of(Tree)
def _tree(it: Interpreter, value: Tree, node: cst.CSTNode) -> Elements:
    if value.keyed:
        return _NOTHING_KNOWN
    if value.container:
        return value.replace(container=False, present=False, buffers=part_of(value.buffers)), None
    # Iterating a dict gives its keys: until it is used as a number, an element may be a text.
    part = value.replace(certainty=Certainty.GUESS, present=False, buffers=part_of(value.buffers))
    return part, None


@iterations_of(Const)
def _constant(it: Interpreter, value: Const, node: cst.CSTNode) -> Elements:
    text = value.value
    if not isinstance(text, (str, bytes)):
        return _NOTHING_KNOWN
    if isinstance(text, bytes) or len(text) > 8:
        return STR, None
    letters = tuple(Const(letter) for letter in text)
    return join_all(letters, default=STR), letters


@iterations_of(Static)
def _static(it: Interpreter, value: Static, node: cst.CSTNode) -> Elements:
    if value.type in ("range", "shape"):
        return INT, None
    return (NDARRAY if value.type == "ndarray" else STATIC), None


def may_be_filled(it: Interpreter, value: Value) -> bool:
    """Whether a container comes from outside of the trace, so that it need not be empty here."""
    trace = it.trace
    return (
        trace is not None and isinstance(value, Ref) and it.made_in.get(value.id, 0) < trace.number
    )


def walked(
    it: Interpreter, value: Value, source: cst.BaseExpression, node: cst.CSTNode
) -> Elements:
    """What a loop gets of a value, to the end of it.

    Args:
      it: the interpreter.
      value: what it walks through.
      source: that, as the code writes it.
      node: the loop.
    """
    if type(value) is Ref and it.trace is not None:
        contents = it.contents(value)
        if isinstance(contents, ListObject) and contents.iterator:
            it.signal(Advanced(value, source, node))
        elif isinstance(contents, ListObject):
            note_entry(it, value, None, contents.element, source)
    return it.iterate(value, source)


# -- sequences ------------------------------------------------------------------------------------


def dict_contents(it: Interpreter, value: Value) -> DictObject | None:
    """The contents of a dict, None for anything else."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    return contents if isinstance(contents, DictObject) else None


def sequence_items(it: Interpreter, value: Value) -> Elements | None:
    """(element, elements if all are known) of a list, tuple or range, None for anything else."""
    if isinstance(value, Tuple):
        return join_all(value.items), value.items
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, ListObject):
            return contents.element, contents.items
    if isinstance(value, Range):
        few = value.numbers is not None and value.length <= it.limits.items
        return INT, tuple(map(Const, value.numbers or ())) if few else None
    if isinstance(value, Static) and value.type == "shape":
        return INT, None
    return None


def laid_out(it: Interpreter, value: Value, node: cst.CSTNode) -> Elements:
    """What a list has that is made of a value: all the numbers of a ``range``, too.

    A loop needs to know them one by one only where they are a few.
    """
    return (isinstance(value, Range) and sequence_items(it, value)) or it.iterate(value, node)


def taken_apart(it: Interpreter, items: Sequence[Value], few: int) -> bool:
    """Whether what is done with each element of a sequence is done one by one.

    It is for a few elements; and for somewhat more outside of traces, where functions and objects
    are made and put together: the parts of an optimiser, the layers of a model.

    Args:
      it: the interpreter.
      items: the elements.
      few: how many are a few.
    """
    if len(items) <= few:
        return True
    many = it.trace is not None or len(items) > it.limits.unrolled
    return not many and any(_does_something(it, item) for item in items)


def _does_something(it: Interpreter, item: Value) -> bool:
    """Whether an element is a function, a class or an object, or a tuple that has one."""
    if isinstance(item, Tuple):
        return any(_does_something(it, part) for part in item.items)
    if isinstance(item, Ref):
        return isinstance(it.contents(item), Instance)
    return isinstance(item, (BoundMethod, Class, External, Function, Partial, Transformed))


def extend_in_place(it: Interpreter, left: Value, right: Value) -> bool:
    """``list += iterable`` changes the list itself; True when that was what happened."""
    if not isinstance(left, Ref) or not isinstance(it.contents(left), ListObject):
        return False
    contents = it.edit(left)
    added = sequence_items(it, right)
    if added is None:
        # An array gives arrays.
        element = right.replace() if isinstance(right, (Array, Tree)) else UNKNOWN
        added = (element, None)
    items = contents.items
    contents.lose_order()
    if not contents.open:
        contents.element = join_elements((contents.element, items), added)
    contents.items = None
    if items is not None and added[1] is not None and len(items) + len(added[1]) <= it.limits.items:
        contents.items = (*items, *added[1])
    return True
