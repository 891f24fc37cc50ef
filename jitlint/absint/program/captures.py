"""What a trace reads of names and objects that are older than it: compiled code keeps the value."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import CapturedRead, Cell
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    ArrayMethod,
    BoundMethod,
    Cached,
    Class,
    Const,
    ContainerMethod,
    Descriptor,
    Dispatched,
    External,
    Function,
    ModuleValue,
    Partial,
    Ref,
    Transformed,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, Variables

#: what programs define and do not change
_DEFINED: Final = frozenset(
    {ArrayMethod, BoundMethod, Cached, Class, ContainerMethod, Descriptor, Dispatched, External,
     Function, ModuleValue, Partial, Transformed}
)  # fmt: skip
#: ... but for an object that holds a function: another may be put in its place
_PUT: Final = frozenset({External, Function, Partial})
#: any entry of a container
ANY_ENTRY: Final = "*"


def name_cell(it: Interpreter, name: str) -> Cell:
    """What a name of the current function stands for that is not its own."""
    for env in it.frame.closure:
        variables = it.contents(env)
        if isinstance(variables, Variables) and name in variables:
            return "variable", env, name
    return "name", it.frame.module, name


def attribute_cell(it: Interpreter, owner: Value, name: str) -> Cell | None:
    """An attribute of an object, a class or a module; None where it is not known whose it is."""
    if isinstance(owner, Ref):
        return ("attribute", owner.id, name) if isinstance(it.contents(owner), Instance) else None
    if isinstance(owner, Class):
        return "class", id(_defining(it, owner, name).definition), name
    return ("name", owner.module, name) if isinstance(owner, ModuleValue) else None


def entry_cell(it: Interpreter, owner: Value, key: Value | None) -> Cell | None:
    """An entry of a dict or list; any of them where the key is not known."""
    if not isinstance(owner, Ref) or not isinstance(it.contents(owner), (DictObject, ListObject)):
        return None
    return "entry", owner.id, repr(key.value) if isinstance(key, Const) else ANY_ENTRY


def note_name(it: Interpreter, node: cst.Name, value: Value) -> None:
    """A name that the running function does not bind was read."""
    if _is_compiled(it, value):
        it.signal(CapturedRead(name_cell(it, node.value), value, node))


def note_attribute(
    it: Interpreter, owner: Value, name: str, value: Value, node: cst.CSTNode
) -> None:
    """An attribute was read."""
    if it.trace is None:
        return
    contents = it.contents(owner) if isinstance(owner, Ref) else None
    own = isinstance(contents, Instance) and name in contents.attributes
    if not _is_compiled(it, value, held=own):
        return
    cell = attribute_cell(it, owner, name)
    if cell is None:
        return
    it.signal(CapturedRead(cell, value, node))
    if isinstance(contents, Instance) and name not in contents.attributes:
        inherited = attribute_cell(it, contents.cls, name)
        assert inherited is not None
        it.signal(CapturedRead(inherited, value, node))


def note_entry(it: Interpreter, owner: Value, key: Value | None, value: Value, node: Any) -> None:
    """An entry of a container was read."""
    if type(owner) is Ref and _is_compiled(it, value):
        cell = entry_cell(it, owner, key)
        if cell is not None:
            it.signal(CapturedRead(cell, value, node))


def _is_compiled(it: Interpreter, value: Value, *, held: bool = False) -> bool:
    """Whether a value that is read here may be kept by what is compiled.

    Args:
      it: the interpreter.
      value: what is read.
      held: whether it is what an object itself holds.
    """
    if it.trace is None or not it.frame.context.cached:
        return False
    return type(value) not in _DEFINED or (held and type(value) in _PUT)


def _defining(it: Interpreter, cls: Class, name: str) -> Class:
    """The class of a hierarchy that has an attribute, the class itself if none is known to."""
    for owner in class_info(it, cls).mro:
        if name in owner.definition.attributes or name in owner.definition.methods:
            return owner
    return cls
