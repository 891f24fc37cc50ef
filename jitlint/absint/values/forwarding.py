"""What control flow hands back untouched: JAX returns the operand itself, no tracer of the loop.

Observed under JAX 0.10.2 inside ``jit``: a leaf of the carry of ``scan`` or ``fori_loop`` that the
body returns at its own place comes out as what went in, a concrete array too; in ``while_loop``
only if the condition does not use it.  So does what ``scan`` and ``map`` stack if it is a leaf of
the scanned values, and an array that every branch of ``cond`` and ``switch`` returns, but no Python
number.  A carry that changes places, or ``x * 1``, is a tracer.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Const,
    Level,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.traversal import rebuilt


def forwarded_carry(
    fresh: Value, result: Value, init: Value, path: tuple[int, ...], *, certain: bool = True
) -> Value:
    """The final carry of a loop.

    Args:
      fresh: what it is where the body gives another one than it got.
      result: what the body returned.
      init: the initial carry.
      path: where the body gets the carry.
      certain: whether what the body forwards is forwarded by the loop.
    """
    if isinstance(result, (Array, Tree)):
        if result.operand != path:
            return fresh
        if isinstance(init, (Array, Tree)) and init.level is Level.ABSTRACT:
            return init
        # What JAX makes of a Python number is no tracer, and nothing else is known of it.
        return init if certain and not isinstance(init, (Const, Static)) else UNKNOWN
    if not (isinstance(fresh, Tuple) and isinstance(result, Tuple) and isinstance(init, Tuple)):
        return fresh
    if not len(fresh.items) == len(result.items) == len(init.items):
        return fresh
    rows = zip(fresh.items, result.items, init.items, strict=True)
    return Tuple(
        tuple(
            forwarded_carry(*row, (*path, index), certain=certain) for index, row in enumerate(rows)
        ),
        fresh.cls,
    )


def forwarded_operands(
    fresh: Value, results: Sequence[Value], operands: Sequence[Value | None]
) -> Value:
    """What branches give, or the body of a loop for its elements.

    Args:
      fresh: what it is where a body gives another value than it got.
      results: what each body returned.
      operands: what each body was called with; None for what is never forwarded.
    """
    if isinstance(fresh, Tuple):
        rows = [
            result.items
            for result in results
            if isinstance(result, Tuple) and len(result.items) == len(fresh.items)
        ]
        if len(rows) != len(results):
            return fresh
        columns = zip(fresh.items, zip(*rows, strict=True), strict=True)
        items = (forwarded_operands(item, column, operands) for item, column in columns)
        return Tuple(tuple(items), fresh.cls)
    paths = {result.operand if isinstance(result, (Array, Tree)) else None for result in results}
    path = paths.pop() if len(paths) == 1 else None
    own = None if path is None else _at(operands, path)
    return fresh if own is None or isinstance(own, (Const, Static)) else own


def _at(operands: Sequence[Value | None], path: tuple[int, ...]) -> Value | None:
    items = operands
    value: Value | None = None
    for index in path:
        if index >= len(items):
            return None
        value = items[index]
        items = value.items if isinstance(value, Tuple) else ()
    return value


def without_operands(value: Value) -> Value:
    """A value whose leaves are no operands of a body; the same one if none was."""
    if isinstance(value, (Array, Tree)):
        return value if value.operand is None else value.replace(buffers=value.buffers)
    return rebuilt(value, without_operands) if isinstance(value, Tuple) else value


def one_of_many(value: Value) -> Value:
    """One of the values that a value stands for: which it is, nobody knows."""
    if isinstance(value, (Array, Tree, Unknown)):
        return value.replace(buffers=part_of(value.buffers)) if value.buffers else value
    return rebuilt(value, one_of_many) if isinstance(value, (Tuple, Union)) else value
