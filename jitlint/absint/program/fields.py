"""Objects as containers of what they hold: ``vars(x)``, ``dataclasses.asdict(x)``, ``_asdict``."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from jitlint.absint.limits import COPIED_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    STATIC,
    UNKNOWN,
    Class,
    Const,
    ExternalInstance,
    Ref,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance
from jitlint.absint.values.traversal import rebuilt, rebuilt_object


def attributes_as_dict(it: Interpreter, receiver: Ref, node: cst.CSTNode) -> Value:
    """``vars(receiver)``, as it is now; what else may have been set there is not known."""
    contents = it.contents(receiver)
    if not isinstance(contents, Instance) or not contents.attributes:
        return UNKNOWN
    return it.allocate(node, DictObject(dict(contents.attributes), UNKNOWN), f"vars {receiver.id}")


def fields_as_dict(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    """``dataclasses.asdict(value)``: dataclasses in what it holds are made dicts as well.

    Unknown for what is no object of a dataclass.
    """

    def make(names: list[str], values: list[Value], role: str) -> Value:
        made = DictObject(dict(zip(names, values, strict=True)), None)
        return it.allocate(node, made, f"fields {role}")

    return _converted(it, value, node, make)


def fields_as_tuple(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    """``dataclasses.astuple(value)``, likewise."""
    return _converted(it, value, node, lambda names, values, role: Tuple(tuple(values)))


def _converted(
    it: Interpreter,
    value: Value,
    node: cst.CSTNode,
    make: Callable[[list[str], list[Value], str], Value],
) -> Value:
    names = _fields(it, value)
    if names is None or not isinstance(value, Ref):
        return UNKNOWN

    def inner(part: Value, depth: int) -> Value:
        if depth == 0:
            return UNKNOWN
        if isinstance(part, Tuple):
            return rebuilt(part, lambda each: inner(each, depth - 1))
        contents = it.contents(part) if isinstance(part, Ref) else None
        if contents is None or not isinstance(part, Ref):
            return part
        fields = _fields(it, part)
        if fields is not None:
            values = [inner(it.attribute(part, name, node), depth - 1) for name in fields]
            return make(fields, values, str(part.id))
        if isinstance(contents, Instance):
            return part
        copy = rebuilt_object(contents, lambda each: inner(each, depth - 1))
        return it.allocate(node, copy, f"copy {part.id}")

    return inner(value, COPIED_LEVELS)


def _fields(it: Interpreter, value: Value) -> list[str] | None:
    """The names of the fields of an object of a dataclass, None for anything else."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(contents, Instance) or contents.extensible:
        return None
    info = class_info(it, contents.cls)
    if info.kind != "dataclass" or not info.complete:
        return None
    return [field.name for field in info.fields]


def field_names(it: Interpreter, value: Value) -> Value:
    """``dataclasses.fields(value)`` of an object or a class: of each field its name is known."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    cls = contents.cls if isinstance(contents, Instance) else value
    if not isinstance(cls, Class) or (isinstance(contents, Instance) and contents.extensible):
        return STATIC
    info = class_info(it, cls)
    if info.kind != "dataclass" or not info.complete:
        return STATIC
    names = [field.name for field in info.fields]
    return Tuple(
        tuple(ExternalInstance("dataclasses.Field", (("name", Const(name)),)) for name in names)
    )


def named_items(it: Interpreter, value: Tuple, node: cst.CSTNode) -> Value:
    """``value._asdict()`` of a named tuple of the project."""
    if not isinstance(value.cls, Class):
        return UNKNOWN
    names = [field.name for field in class_info(it, value.cls).fields]
    if len(names) != len(value.items):
        return UNKNOWN
    return it.allocate(node, DictObject(dict(zip(names, value.items, strict=True)), None), "fields")
