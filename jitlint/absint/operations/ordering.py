"""What sorting, ``min``, ``max`` and heaps compare of the entries that they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import comparable_tracer, first_tracer, sure_array
from jitlint.absint.values.domain import UNKNOWN, Array, Tree, Tuple, Value
from jitlint.absint.values.statics import is_number

#: more entries than these are asked for their keys as one that stands for all
_MAX_KEYS: Final = 12


def first_part(entry: Value) -> Value:
    """What an entry is compared by before all else: a tuple by its first part."""
    return entry.items[0] if isinstance(entry, Tuple) and entry.items else entry


def sorted_tracer(element: Value, items: Sequence[Value] | None) -> Array | Tree | None:
    """A tracer that sorting a sequence asks: it is compared with what stands beside it.

    Args:
        element: what stands for all entries.
        items: the entries, None if they are not known one by one.
    """
    if items is None:
        return sure_array(first_part(element))
    if len(items) < 2 or UNKNOWN in items:
        return None
    parts = [first_part(item) for item in items]
    # Beside a number stands a number.
    return first_tracer(map(comparable_tracer if any(map(is_number, parts)) else sure_array, parts))


def traced_key(
    it: Interpreter, key: Value, element: Value, items: Sequence[Value] | None, node: cst.CSTNode
) -> Array | Tree | None:
    """A tracer among what ``key=`` makes of entries that are to be ordered.

    A few known entries are asked one by one: a number is compared with a tracer beside it.

    Args:
        it: the interpreter.
        key: the function that is given each entry.
        element: what stands for all entries.
        items: the entries, None if they are not known one by one.
        node: the call that orders them.
    """
    if items is not None and len(items) < 2:
        return None
    if items is None or len(items) > _MAX_KEYS:
        return comparable_tracer(first_part(it.call(key, Arguments([element]), node)))
    return sorted_tracer(UNKNOWN, [it.call(key, Arguments([item]), node) for item in items])
