"""Binding of names and of the other targets of assignments."""

from __future__ import annotations

from functools import cache

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import ArrayStore
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArrayChanged,
    AttributeSet,
    ContentsChanged,
    Kept,
    OuterNameBound,
    Received,
)
from jitlint.absint.program.members import class_attribute, property_setter
from jitlint.absint.python import namespaces, operations
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Level,
    Ref,
    Slice,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject, Variables
from jitlint.absint.values.lattice import join


def bind(it: Interpreter, name: str, value: Value, node: cst.CSTNode | None = None) -> None:
    """Give a name of the current function its value; ``node`` is where that is written."""
    frame = it.frame
    env = frame.env
    if name in frame.outer:
        for outer in frame.closure:
            variables = it.contents(outer)
            if isinstance(variables, Variables) and name in variables:
                env = outer
                break
        it.signal(OuterNameBound(name, env, value, node))
    elif name in frame.globals:
        it.signal(OuterNameBound(name, None, value, node))
        return
    variables = it.variables(env)
    if it.state.assumed and variables.get(name) != value:
        _forget(it, name)
    variables[name] = value


def _forget(it: Interpreter, name: str) -> None:
    """Drop what was assumed of conditions that mention a name that changes."""
    stale = [key for key in it.state.assumed if name in words(key)]
    for key in stale:
        del it.state.assumed[key]


@cache
def words(key: str) -> frozenset[str]:
    """The names in the text of a condition."""
    return frozenset("".join(c if c.isalnum() or c == "_" else " " for c in key).split())


def assign(it: Interpreter, target: cst.CSTNode, value: Value, source: cst.CSTNode) -> None:
    """Assign a value to any kind of target."""
    kind = type(target)
    if kind is cst.Name:
        name = target.value  # type: ignore[attr-defined]
        bind(it, name, _named(it, value, target, name), target)
        it.signal(Received(value))
    elif kind in (cst.Tuple, cst.List):
        _unpack(it, target, value, source)
    elif kind is cst.Attribute:
        _set_attribute(it, target, value)
    elif kind is cst.Subscript:
        _set_item(it, target, value, source)
    elif kind is cst.StarredElement:
        assign(it, target.value, value, source)  # type: ignore[attr-defined]


def _named(it: Interpreter, value: Value, target: cst.CSTNode, name: str) -> Value:
    if isinstance(value, (Array, Tree)) and value.level is Level.ABSTRACT:
        previous = value.origin
        if previous is not None and previous.note.startswith(f"`{name}`"):
            return value
        origin = it.origin(target, f"`{name}` is traced", previous)
        return value.replace(origin=origin, operand=value.operand)
    return value


def _unpack(it: Interpreter, target: cst.CSTNode, value: Value, source: cst.CSTNode) -> None:
    elements = target.elements  # type: ignore[attr-defined]
    element, items = operations.iterate(it, value, source)
    star = next((i for i, e in enumerate(elements) if type(e) is cst.StarredElement), None)
    if items is None or (star is None and len(items) != len(elements)):
        for part in elements:
            if type(part) is cst.StarredElement:
                rest = it.allocate(part, ListObject(None, element))
                assign(it, part.value, rest, source)
            else:
                assign(it, part.value, element, source)
        return
    if star is None:
        for part, item in zip(elements, items, strict=True):
            assign(it, part.value, item, source)
        return
    after = len(elements) - star - 1
    middle = items[star : len(items) - after]
    for part, item in zip(elements[:star], items[:star], strict=False):
        assign(it, part.value, item, source)
    rest = it.allocate(
        elements[star], ListObject(tuple(middle), operations.join_items(tuple(middle)))
    )
    assign(it, elements[star].value, rest, source)
    for part, item in zip(elements[star + 1 :], items[len(items) - after :], strict=False):
        assign(it, part.value, item, source)


def _set_attribute(it: Interpreter, target: cst.CSTNode, value: Value) -> None:
    assert isinstance(target, cst.Attribute)
    receiver = it.ev(target.value)
    name = target.attr.value
    if it.state.assumed:
        _forget(it, name)
    it.signal(Kept(value))
    if isinstance(receiver, Ref):
        setter = property_setter(it, receiver, name)
        if setter is not None:
            it.call(setter, Arguments([receiver, value]), target)
            return
    if not isinstance(receiver, Union) and it.signal(AttributeSet(receiver, value, target)):
        # Told once: who reads it later is not told again.
        value = UNKNOWN
    for member in receiver.members if isinstance(receiver, Union) else (receiver,):
        if isinstance(member, Ref):
            contents = it.edit(member)
            if isinstance(contents, Instance):
                old = contents.attributes.get(name)
                weak = isinstance(receiver, Union) and old is not None
                contents.attributes[name] = join(old, value) if weak and old else value


def _set_item(it: Interpreter, target: cst.CSTNode, value: Value, source: cst.CSTNode) -> None:
    assert isinstance(target, cst.Subscript)
    receiver = it.ev(target.value)
    index = operations.subscript_index(it, target)
    if receiver == UNKNOWN:
        owner = namespaces.owner_of(it, target.value)
        if owner is not None:
            namespaces.set_variable(it, owner, index, value, target)
            return
    it.signal(Kept(value))
    if isinstance(receiver, Static) and receiver.type == "ndarray":
        if not operations.numpy_store(it, target, index, value, source):
            it.signal(ArrayChanged(target, target.value))
        return
    if it.trace is not None and _is_array(receiver, index):
        assert isinstance(receiver, (Array, Tree))
        it.emit(
            ArrayStore,
            target,
            receiver.replace(level=Level.ABSTRACT),
            operand=target.value,
            exceptions=("TypeError",),
            statement=it.text(target),
            operator=_OPERATORS.get(type(source.operator), "=")
            if isinstance(source, cst.AugAssign)
            else "=",
        )
        return
    setter = class_attribute(it, receiver, "__setitem__") if isinstance(receiver, Ref) else None
    if setter is not None:
        it.call(setter, Arguments([index, value]), target)
        return
    if not isinstance(receiver, Ref):
        if isinstance(receiver, Union):
            for member in receiver.members:
                if isinstance(member, Ref):
                    store(it, member, UNKNOWN, value, target, target.value)
        elif not isinstance(receiver, (Array, Tree, ExternalInstance)):
            operations.check_key(it, receiver, index, target)
        return
    store(it, receiver, index, value, target, target.value)


_OPERATORS = {
    cst.AddAssign: "+=",
    cst.SubtractAssign: "-=",
    cst.MultiplyAssign: "*=",
    cst.DivideAssign: "/=",
    cst.PowerAssign: "**=",
    cst.FloorDivideAssign: "//=",
    cst.ModuloAssign: "%=",
    cst.MatrixMultiplyAssign: "@=",
    cst.BitAndAssign: "&=",
    cst.BitOrAssign: "|=",
    cst.BitXorAssign: "^=",
    cst.LeftShiftAssign: "<<=",
    cst.RightShiftAssign: ">>=",
}


def _is_array(receiver: Value, index: Value) -> bool:
    """Whether what is stored into is an array: it is known, or only arrays take such an index."""
    if isinstance(index, Const) and isinstance(index.value, str):
        # A dict, whatever else it is taken for.
        return False
    if isinstance(receiver, Array):
        return True
    if not isinstance(receiver, Tree) or receiver.container:
        return False
    parts = index.items if isinstance(index, Tuple) else (index,)
    if Const(...) in parts:
        # `ref[...] = x`: a mutable reference may be passed.
        return False
    return any(isinstance(part, (Slice, Array)) for part in parts)


def store(
    it: Interpreter,
    ref: Ref,
    index: Value,
    value: Value,
    target: cst.CSTNode,
    receiver: cst.CSTNode,
) -> None:
    """Put a value into a list or dict; ``receiver`` is where that is written, in ``target``."""
    contents = it.edit(ref)
    if isinstance(contents, (DictObject, ListObject)) and it.signal(
        ContentsChanged(ref, value, target, receiver, "item assignment")
    ):
        value = UNKNOWN
    if isinstance(contents, DictObject):
        operations.check_key(it, ref, index, target)
        if isinstance(index, Const):
            contents.items[index.value] = value
        else:
            contents.rest = value if contents.rest is None else join(contents.rest, value)
    elif isinstance(contents, ListObject):
        operations.check_key(it, ref, index, target)
        if (
            contents.items is not None
            and isinstance(index, Const)
            and isinstance(index.value, int)
            and -len(contents.items) <= index.value < len(contents.items)
        ):
            items = list(contents.items)
            items[index.value] = value
            contents.items = tuple(items)
            contents.element = operations.join_items(contents.items)
        else:
            if contents.items is not None:
                contents.items = tuple(join(item, value) for item in contents.items)
            contents.element = join(contents.element, value) if contents.items != () else value
    elif isinstance(contents, SetObject):
        contents.element = join(contents.element, value)
