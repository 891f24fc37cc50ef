"""Pytrees that a filter takes apart, and what puts them together: ``partition``, ``combine``.

What no trace takes, functions and texts, is not among the arrays, and where the filter takes all of
these, there are none in the second half.  Which leaves are None otherwise is not followed, because
their first use is nearly always to be put together.
"""

from __future__ import annotations

import operator
from collections.abc import Set
from typing import Final

from jitlint.absint.library.registry import Call
from jitlint.absint.limits import VALUE_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.values.domain import (
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Class,
    Const,
    External,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.absint.values.traversal import OBJECTS
from jitlint.jaxmodel.leaves import ARRAYS_ALONE as ALONE, HOLDERS, OPAQUE_LEAVES, WHOLE_OF

#: marks a layer that lacks the leaves that are no arrays
ARRAYS_ALONE: Final = (ALONE, TRUE)
#: filters that take Python numbers for arrays
_LIKE_ARRAYS: Final = frozenset({"equinox.is_array_like", "equinox.is_inexact_array_like"})
#: the filter that leaves no array behind
_ALL_ARRAYS: Final = "equinox.is_array"
#: the one that takes what can be differentiated by; and what is left then, where that is known
_INEXACT: Final = "equinox.is_inexact_array"
_INTEGERS: Final = frozenset({"bool", "int", "key"})


def partition(it: Interpreter, call: Call) -> Value:
    """Both halves of a pytree: arrays, and what else there is."""
    filter_ = call.second or call.keywords.get("filter_spec")
    name = filter_.name if isinstance(filter_, External) else ""
    arrays = _arrays_of(it, call.first, VALUE_LEVELS)
    if name in _LIKE_ARRAYS:
        return Tuple((arrays, UNKNOWN))
    if name not in (_ALL_ARRAYS, _INEXACT):
        return Tuple((arrays, call.first))
    left = _INTEGERS if name == _INEXACT else frozenset()
    return Tuple((arrays, _without_arrays(it, call.first, VALUE_LEVELS, left)))


def _arrays_of(it: Interpreter, value: Value, depth: int) -> Value:
    """A pytree without what is no array; the very same one where there is no such thing."""
    if isinstance(value, (Function, BoundMethod, Transformed, Class, External, Partial)):
        return NONE
    if isinstance(value, (Const, Static)) and type_name(value) in ("str", "bytes"):
        return NONE
    if isinstance(value, ExternalInstance):
        opaque = value.cls in OPAQUE_LEAVES or value.cls in HOLDERS
        return ExternalInstance(value.cls, (ARRAYS_ALONE,)) if opaque else value
    if depth == 0:
        return value
    if isinstance(value, Tuple):
        items = tuple(_arrays_of(it, item, depth - 1) for item in value.items)
        alike = all(map(operator.is_, items, value.items))
        return value if alike else Tuple(items, value.cls)
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(value, Ref) or not isinstance(contents, (Instance, ListObject, DictObject)):
        return value
    if value.id in it.resolving:
        return value
    structure = OBJECTS[type(contents)]
    held = structure.parts(contents)
    it.resolving.add(value.id)
    parts = [_arrays_of(it, part, depth - 1) for part in held]
    it.resolving.discard(value.id)
    if all(map(operator.is_, parts, held)):
        return value
    id_ = it.new_id("arrays", value.id, it.frame.env)
    it.state.put(id_, structure.rebuilt(contents, parts))
    return Ref(id_)


def _without_arrays(it: Interpreter, value: Value, depth: int, left: Set[str | None]) -> Value:
    """A pytree with None in place of each array, but those of some types."""
    if isinstance(value, Array):
        return value if value.dtype in left else NONE
    if depth == 0 or not isinstance(value, (Tuple, Ref)):
        return value
    if isinstance(value, Tuple):
        parts = (_without_arrays(it, item, depth - 1, left) for item in value.items)
        return Tuple(tuple(parts), value.cls)
    contents = it.contents(value)
    if not isinstance(contents, (Instance, ListObject, DictObject)):
        return value
    structure = OBJECTS[type(contents)]
    held = [_without_arrays(it, part, depth - 1, left) for part in structure.parts(contents)]
    id_ = it.new_id("without arrays", value.id, it.frame.env)
    it.state.put(id_, structure.rebuilt(contents, held))
    it.registered[WHOLE_OF, id_] = value
    return Ref(id_)


def _whole_of(it: Interpreter, half: Value) -> Value:
    """What a second half without arrays was made of; the half itself where that is not known."""
    if isinstance(half, Tuple):
        return Tuple(tuple(_whole_of(it, item) for item in half.items), half.cls)
    whole: Value = it.registered.get((WHOLE_OF, half.id), half) if isinstance(half, Ref) else half
    return whole


def combine(it: Interpreter, call: Call) -> Value:
    """The whole again: Python values of the second half, everything else of the first."""
    return _merged(it, call.first, call.second or UNKNOWN, VALUE_LEVELS)


def _merged(it: Interpreter, arrays: Value, others: Value, depth: int) -> Value:
    if arrays == others or depth == 0:
        return arrays
    if isinstance(others, ExternalInstance) and (
        isinstance(arrays, ExternalInstance) and ARRAYS_ALONE in arrays.attributes
    ):
        return others
    if arrays == NONE and not isinstance(others, Unknown):
        return others
    if others == UNKNOWN and depth < VALUE_LEVELS:
        # A field of which nothing is known: it may be a Python value, which is no array here.
        return UNKNOWN
    if others != NONE and all(isinstance(one, (Const, Static)) for one in members_of(others)):
        # `int | None` too: whichever it is, it is no array.
        return others
    if isinstance(arrays, Tree) and isinstance(others, (Tuple, Ref)):
        # What was made flat and put together again has the structure of the other half.
        whole = _whole_of(it, others)
        return traced_argument(it, whole, arrays.level, leaves="arrays", origin=arrays.origin)
    if isinstance(arrays, Union):
        return join_all(_merged(it, member, others, depth) for member in arrays.members)
    if isinstance(arrays, Tuple) and isinstance(others, Tuple):
        if len(arrays.items) != len(others.items):
            return arrays
        pairs = zip(arrays.items, others.items, strict=True)
        return Tuple(tuple(_merged(it, *pair, depth - 1) for pair in pairs), arrays.cls)
    if not (isinstance(arrays, Ref) and isinstance(others, Ref)):
        return arrays
    left, right = it.contents(arrays), it.contents(others)
    if type(left) is not type(right) or not isinstance(left, (Instance, ListObject, DictObject)):
        return arrays
    structure = OBJECTS[type(left)]
    if structure.label(left) != structure.label(right):
        return arrays
    pairs = zip(structure.parts(left), structure.parts(right), strict=True)
    parts = [_merged(it, *pair, depth - 1) for pair in pairs]
    id_ = it.new_id("combined", arrays.id, others.id, it.frame.env)
    it.state.put(id_, structure.rebuilt(left, parts))
    return Ref(id_)
