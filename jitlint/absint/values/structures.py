"""Pytrees that JAX compares: the branches of a choice, the carry of a loop."""

from __future__ import annotations

from jitlint.absint.values.domain import NONE, Array, Ref, Tree, Tuple, Value
from jitlint.absint.values.lattice import join


def join_alike(left: Value, right: Value) -> Value:
    """The join of two values of which JAX makes sure that they are of one structure.

    What is known of one is so of the other: a tree of unknown structure is an array beside one.
    """
    if _is_open(left) and _has_structure(right):
        return right
    if _is_open(right) and _has_structure(left):
        return left
    if (
        isinstance(left, Tuple)
        and isinstance(right, Tuple)
        and left.cls == right.cls
        and len(left.items) == len(right.items)
    ):
        pairs = zip(left.items, right.items, strict=True)
        return Tuple(tuple(join_alike(*pair) for pair in pairs), left.cls)
    return join(left, right)


def _is_open(value: Value) -> bool:
    return type(value) is Tree and not value.container


def _has_structure(value: Value) -> bool:
    return value == NONE or isinstance(value, (Array, Ref, Tuple))
