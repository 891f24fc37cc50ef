"""What makes containers and references: ``list``, ``dict``, ``namedtuple``, ``copy``, weak ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Final

import libcst as cst

from jitlint.absint.library.registry import Call, method, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.operations.hashing import hashes_element
from jitlint.absint.operations.iteration import dict_contents, laid_out, sequence_items
from jitlint.absint.program.members import class_attribute
from jitlint.absint.python.contexts import BINDING
from jitlint.absint.values.buffers import new_buffer
from jitlint.absint.values.domain import (
    NONE,
    SHAPE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    External,
    ExternalInstance,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, HeapObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all
from jitlint.absint.values.traversal import rebuilt, rebuilt_object

#: a weak reference, the class under which programs test for it
_WEAK: Final = "weakref.ref"


@model("tuple")
def _tuple(it: Interpreter, call: Call) -> Value:
    if not call.positional:
        return Tuple(())
    value = call.positional[0]
    element, items = laid_out(it, value, call.node)
    if items is not None:
        return Tuple(tuple(items))
    if isinstance(value, Static):
        return SHAPE if value.type in ("shape", "range") else STATIC
    if value == UNKNOWN or element == UNKNOWN:
        return UNKNOWN
    return it.allocate(call.node, ListObject(None, element, is_tuple=True), "tuple")


@model("list", "collections.deque")
def _list(it: Interpreter, call: Call) -> Value:
    if not call.positional:
        return it.allocate(call.node, ListObject((), UNKNOWN, mutable=True))
    element, items = laid_out(it, call.positional[0], call.node)
    known = None if items is None else tuple(items)
    return it.allocate(call.node, ListObject(known, element, mutable=True))


@model("set", "frozenset")
def _set(it: Interpreter, call: Call) -> Value:
    element: Value = UNKNOWN
    filled: bool | None = False
    if call.positional:
        element, items = it.iterate(call.positional[0], call.node)
        if hashes_element(it, element, items, call.node, call.place()):
            return UNKNOWN
        filled = None if items is None else bool(items)
    made = SetObject(element, filled=filled, mutable=call.name == "set")
    return it.allocate(call.node, made)


@model("dict", "collections.OrderedDict", "collections.defaultdict", "flax.core.freeze",
        "types.MappingProxyType", "collections.Counter", "flax.core.unfreeze",
        "flax.core.FrozenDict")  # fmt: skip
def _dict(it: Interpreter, call: Call) -> Value:
    items: dict[Any, Value] = {}
    rest: Value | None = call.args.star_keywords
    for value in call.positional[1:] if call.name == "defaultdict" else call.positional:
        contents = dict_contents(it, value)
        if contents is not None:
            items.update(contents.items)
            rest = contents.rest if rest is None else rest
            continue
        element, pairs = it.iterate(value, call.node)
        known = None if pairs is None else _entries(pairs)
        if known is not None:
            items.update(known)
        elif isinstance(element, Tuple) and len(element.items) == 2:
            rest = element.items[1] if rest is None else join(rest, element.items[1])
        elif isinstance(value, Tree):
            return value
        else:
            rest = UNKNOWN
    items.update(call.keywords)
    if rest is None and call.name in ("defaultdict", "Counter"):
        # One object stands for all that keys which it did not have would be given.
        make = _EMPTY.get(call.first)
        rest = UNKNOWN if make is None else it.allocate(call.node, make(), "missing")
    frozen = call.name in ("freeze", "FrozenDict")
    filled = bool(call.keywords)
    return it.allocate(call.node, DictObject(items, rest, frozen=frozen, filled=filled))


def _entries(pairs: Sequence[Value]) -> dict[Any, Value] | None:
    """The entries that pairs of a constant and a value make, None if others are among them."""
    found: dict[Any, Value] = {}
    for pair in pairs:
        if not isinstance(pair, Tuple) or len(pair.items) != 2:
            return None
        key, value = pair.items
        if not isinstance(key, Const):
            return None
        found[key.value] = value
    return found


_EMPTY: Final[dict[Value, Callable[[], HeapObject]]] = {
    External("builtins.list"): lambda: ListObject(None, UNKNOWN),
    External("builtins.dict"): lambda: DictObject({}, UNKNOWN),
    External("builtins.set"): lambda: SetObject(UNKNOWN),
}


@model("copy.copy", "copy.deepcopy")
def _copy(it: Interpreter, call: Call) -> Value:
    return _copied(it, call.first, call.node, 6 if call.name == "deepcopy" else 1)


@model("jax_dataclasses.copy_and_mutate")
def _copy_and_mutate(it: Interpreter, call: Call) -> Value:
    """``with copy_and_mutate(state) as other``: the block changes a copy of the pytree."""
    return ExternalInstance(BINDING, (("value", _copied(it, call.first, call.node, 6)),))


def _copied(it: Interpreter, value: Value, node: cst.CSTNode, depth: int, role: str = "") -> Value:
    """A value with fresh objects in the place of its mutable ones, some levels down."""
    numbers = count()

    def inner(part: Value) -> Value:
        return _copied(it, part, node, depth - 1, f"{role}.{next(numbers)}") if depth > 1 else part

    if isinstance(value, Tuple):
        return rebuilt(value, inner)
    if isinstance(value, Union):
        members = enumerate(value.members)
        return join_all(_copied(it, part, node, depth, f"{role}|{n}") for n, part in members)
    if isinstance(value, (Array, Tree, Unknown)) and value.buffers:
        # Only `copy.copy` of what holds an array leaves that where it is.
        return value.replace(buffers=new_buffer())
    contents = it.contents(value) if isinstance(value, Ref) else None
    if contents is None or not isinstance(value, Ref):
        return value
    if isinstance(contents, Instance) and any(
        class_attribute(it, value, name) is not None for name in _COPIED_BY
    ):
        # What such a method makes of it is its own affair.
        return UNKNOWN
    return it.allocate(node, rebuilt_object(contents, inner), f"copy{role}")


#: methods by which a class says itself how its objects are copied
_COPIED_BY: Final = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__setstate__")


@model("collections.namedtuple")
def _namedtuple(it: Interpreter, call: Call) -> Value:
    fields = call.args.get(1, "field_names")
    names: list[Value] = []
    if isinstance(fields, Const) and isinstance(fields.value, str):
        names = [Const(name) for name in fields.value.replace(",", " ").split()]
    elif fields is not None:
        found = sequence_items(it, fields)
        names = list(found[1] or ()) if found is not None else []
    if not names or not all(isinstance(name, Const) for name in names):
        return UNKNOWN
    return ExternalInstance("jitlint.namedtuple", (("fields", Tuple(tuple(names))),))


@method("jitlint.namedtuple", "__call__")
def _new_namedtuple(it: Interpreter, call: Call) -> Value:
    """``Point(1, y=2)`` for ``Point = collections.namedtuple(...)``."""
    if call.starred:
        return UNKNOWN
    fields = dict(call.receiver.attributes)["fields"]
    assert isinstance(fields, Tuple)
    items = []
    for index, field in enumerate(fields.items):
        assert isinstance(field, Const)
        value = call.args.get(index, field.value)
        items.append(UNKNOWN if value is None else value)
    return Tuple(tuple(items), call.receiver)


@model("weakref.ref", "weakref.ReferenceType", "weakref.WeakMethod")
def _weak_reference(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(_WEAK, (("object", call.first),))


@method(_WEAK, "__call__")
def _referred(it: Interpreter, call: Call) -> Value:
    """What is referred to, or None once nothing else holds it."""
    return join(dict(call.receiver.attributes)["object"], NONE)


@model("weakref.proxy")
def _proxy(it: Interpreter, call: Call) -> Value:
    return call.first
