"""Which tracers a value is or holds, as far as the heap tells."""

from __future__ import annotations

from collections.abc import Iterable

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    NONE,
    Array,
    Certainty,
    Const,
    Level,
    Ref,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.traversal import fold

#: values that have others in them, or stand for several
_HOLDERS = frozenset({Tuple, Union, Ref})


def find_traced(
    it: Interpreter, value: Value, depth: int = 3, least: Level = Level.ABSTRACT
) -> Array | Tree | None:
    """A tracer in a value or, some levels down, in a container; None if there is none for sure.

    ``least`` is the level from which an array counts: VALUE for what a gradient's tracer refuses
    too (``float``, NumPy).
    """

    def leaf(value: Value, depth: int) -> Array | Tree | None:
        if isinstance(value, (Array, Tree)):
            return value if value.level >= least else None
        if depth and isinstance(value, Union):
            members = [leaf(member, 0) for member in value.members if member != NONE]
            return None if None in members else _surest(members)
        return None

    if type(value) not in _HOLDERS:
        return leaf(value, depth)
    return fold(value, it.contents, leaf, _surest, depth)


def _surest(found: Iterable[Array | Tree | None]) -> Array | Tree | None:
    best: Array | Tree | None = None
    for tracer in found:
        if tracer is not None and (best is None or tracer.certainty > best.certainty):
            best = tracer
    return best


def level_of(it: Interpreter, value: Value, depth: int = 3) -> Level | None:
    """The highest level of an array in a value, None if it holds no array for sure."""

    def leaf(value: Value, depth: int) -> Level | None:
        if isinstance(value, (Array, Tree)):
            return value.level
        if depth and isinstance(value, Union):
            return _highest([level_of(it, member, depth - 1) for member in value.members])
        return None

    return fold(value, it.contents, leaf, _highest, depth)


def _highest(found: Iterable[Level | None]) -> Level | None:
    return max((level for level in found if level is not None), default=None)


def sure_array(value: Value, least: Level = Level.ABSTRACT) -> Array | None:
    """The abstract array among the alternatives of a value, None if another may be anything."""
    if isinstance(value, Array):
        return value if value.level >= least else None
    found: Array | None = None
    for member in members_of(value):
        if isinstance(member, Array) and member.level >= least:
            found = member
        elif not (isinstance(member, Const) and member.value is None):
            # What else it may be can depend on the very input that would make it traced.
            return None
    return found


def comparable_tracer(value: Value) -> Array | Tree | None:
    """A tracer that a comparison of this value with a number asks; a bare tree counts as one."""
    return sure_array(value) or sure_tree(value)


def sure_tree(value: Value) -> Tree | None:
    """An abstract tree that may be a single array, if it is more than guessed to be traced."""
    if isinstance(value, Tree) and value.level is Level.ABSTRACT and not value.container:
        return value if value.certainty is not Certainty.GUESS else None
    return None
