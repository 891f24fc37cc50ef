"""Heaps: ``heapq`` compares what it orders, and what it pushes with what is there."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.library.concretization import compares
from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ContentsChanged, Kept
from jitlint.absint.machine.tracers import comparable_tracer
from jitlint.absint.operations.iteration import may_be_filled
from jitlint.absint.operations.ordering import first_part, sorted_tracer
from jitlint.absint.values.domain import NONE, UNKNOWN, Array, Ref, Tree, Value
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import join
from jitlint.absint.values.statics import is_number


@model("heapq.heappush")
def _push(it: Interpreter, call: Call) -> Value:
    heap, item = call.first, call.args.get(1, "item")
    if item is None:
        return UNKNOWN
    contents = it.contents(heap) if isinstance(heap, Ref) else None
    if not isinstance(contents, ListObject):
        traced = _asked(item, UNKNOWN)
    elif contents.items == () and not may_be_filled(it, heap):
        traced = None
    else:
        traced = _asked(item, contents.element)
    if traced is not None:
        compares(it, call, traced, call.place(1))
    if isinstance(heap, Ref) and isinstance(contents, ListObject):
        _add(it, heap, item, call.node)
    return NONE


@model("heapq.heapify")
def _heapify(it: Interpreter, call: Call) -> Value:
    return _orders(it, call, call.first, call.place()) or NONE


@model("heapq.nlargest", "heapq.nsmallest")
def _largest(it: Interpreter, call: Call) -> Value:
    iterable = call.args.get(1, "iterable")
    if iterable is None or call.keywords.get("key", NONE) != NONE:
        return UNKNOWN
    return _orders(it, call, iterable, call.place(1)) or UNKNOWN


def _orders(it: Interpreter, call: Call, iterable: Value, place: cst.CSTNode) -> Value | None:
    """Report at a place that entries are compared of which one is traced; the result if so."""
    element, items = it.iterate(iterable, call.node)
    traced = sorted_tracer(element, items)
    return None if traced is None else compares(it, call, traced, place)


def _asked(item: Value, other: Value) -> Array | Tree | None:
    """The tracer that comparing two entries asks: tuples are compared by their first parts."""
    first, second = map(first_part, (item, other))
    return comparable_tracer(first) or (comparable_tracer(second) if is_number(first) else None)


def _add(it: Interpreter, heap: Ref, item: Value, node: cst.CSTNode) -> None:
    it.signal(Kept(item))
    written: cst.CSTNode | str = "heap"
    if isinstance(node, cst.Call) and node.args:
        written = node.args[0].value
    it.signal(ContentsChanged(heap, item, node, written, "heap push"))
    edited = it.edit(heap)
    if edited.items == ():
        edited.items, edited.element = (item,), item
    else:
        # Where it stands among the others is not known.
        edited.items, edited.element = None, join(edited.element, item)
    edited.lose_order()
