"""Attributes of what Python itself makes: functions, descriptors, containers, modules."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import attributes_of
from jitlint.absint.modules.names import module_attribute
from jitlint.absint.program.buffers import reads
from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    DTYPE,
    NONE,
    SHAPE,
    STR,
    UNKNOWN,
    BoundMethod,
    Const,
    ContainerMethod,
    Descriptor,
    Dispatched,
    External,
    ExternalInstance,
    Function,
    ModuleValue,
    Partial,
    Ref,
    Transformed,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.told import attribute_told
from jitlint.jaxmodel.expectations import INHERITED
from jitlint.jaxmodel.functions import array_attribute
from jitlint.jaxmodel.memory import is_array_method


@attributes_of(Union)
def _any_of(it: Interpreter, value: Union, name: str, node: cst.CSTNode) -> Value:
    # On the paths where it is what has no such attribute, Python goes no further.
    having = [member for member in value.members if not _lacks(member, name)] or value.members
    found = [(member, it.attribute(member, name, node)) for member in having]
    told = [made for member, made in found if made != UNKNOWN and _is_object(it, member)]
    # A pytree of unknown structure that has the attribute is of a class that has it, as they are.
    return join_all(
        made for member, made in found if made != UNKNOWN or type(member) is not Tree or not told
    )


def _is_object(it: Interpreter, value: Value) -> bool:
    """Whether a value is an object of a class of the project, or a named tuple."""
    if isinstance(value, Tuple):
        return value.cls is not None
    return isinstance(value, Ref) and isinstance(it.contents(value), Instance)


def _lacks(value: Value, name: str) -> bool:
    """Whether a constant certainly has no such attribute."""
    return isinstance(value, Const) and not hasattr(value.value, name)


@attributes_of(object)
def _unknown_object(it: Interpreter, value: Ref, name: str, node: cst.CSTNode) -> Value:
    return UNKNOWN


@attributes_of(Unknown)
def _unknown(it: Interpreter, value: Unknown, name: str, node: cst.CSTNode) -> Value:
    known = _OF_ANYTHING.get(name)
    if known is None and value.told is not None:
        return attribute_told(value, name)
    if not value.buffers:
        return UNKNOWN if known is None else known
    if known is None and (name in ("T", "mT") or is_array_method(name)):
        reads(it, ((value, node.value if isinstance(node, cst.Attribute) else node),))
    if known is None and array_attribute(name) is None:
        return Unknown(buffers=part_of(value.buffers))
    return UNKNOWN if known is None else known


@attributes_of(Value)
def _anything(it: Interpreter, value: Value, name: str, node: cst.CSTNode) -> Value:
    # Whatever it is: a shape is a tuple of ints, a dtype no tracer, and what `.at[...].set(...)`
    # gives an array.
    return _OF_ANYTHING.get(name, UNKNOWN)


_OF_ANYTHING: Final[dict[str, Value]] = {
    "shape": SHAPE,
    "dtype": DTYPE,
    "at": ExternalInstance("jax.Array.at", (("array", UNKNOWN),)),
    **{name: External(qualified) for name, qualified in INHERITED.items()},
}


@attributes_of(ModuleValue)
def _module(it: Interpreter, value: ModuleValue, name: str, node: cst.CSTNode) -> Value:
    return module_attribute(it, value.module, name, it.frame.module)


@attributes_of(ListObject, DictObject, SetObject)
def _container(it: Interpreter, value: Ref, name: str, node: cst.CSTNode) -> Value:
    return ContainerMethod(value, name)


@attributes_of(Function)
def _function(it: Interpreter, value: Value, name: str, node: cst.CSTNode) -> Value:
    if name == "__wrapped__":
        # What has it is wrapped by a decorator that leaves it what it is, or by an import hook.
        return value
    if name == "__closure__" and isinstance(value, Function) and not value.closure:
        return NONE
    return STR if name in _OF_FUNCTIONS else UNKNOWN


@attributes_of(BoundMethod)
def _bound(it: Interpreter, value: BoundMethod, name: str, node: cst.CSTNode) -> Value:
    if name == "__wrapped__" and isinstance(value.function, Transformed):
        return BoundMethod(value.function.function, value.receiver)
    if name == "__func__":
        return value.function
    return value.receiver if name == "__self__" else _function(it, value, name, node)


@attributes_of(Partial)
def _partial(it: Interpreter, value: Partial, name: str, node: cst.CSTNode) -> Value:
    made = value.function
    if isinstance(made, Transformed) and made.transform.startswith("flax.linen.") and value.args:
        # A module of a lifted class: what it has is its own, but for what runs it.
        if name in ("apply", "init", "init_with_output"):
            return Partial(External("jitlint.lifted_apply"), (value, Const(name)), ())
        return it.attribute(value.args[0], name, node)
    return value.function if name == "func" else _function(it, value, name, node)


@attributes_of(Transformed)
def _transformed(it: Interpreter, value: Transformed, name: str, node: cst.CSTNode) -> Value:
    if name in ("__wrapped__", "fun"):
        return value.function
    if name in _TRANSFORMED_METHODS:
        return BoundMethod(External(f"jitlint.transformed.{name}"), value)
    return _function(it, value, name, node)


_OF_FUNCTIONS: Final = frozenset({"__name__", "__qualname__", "__doc__", "__module__"})
_TRANSFORMED_METHODS: Final = frozenset(
    """lower trace eval_shape clear_cache defvjp defjvp defjvps def_vmap def_jvp def_fwd
    def_bwd""".split()
)


@attributes_of(Dispatched)
def _dispatched(it: Interpreter, value: Dispatched, name: str, node: cst.CSTNode) -> Value:
    return Partial(External("jitlint.register"), (value,), ()) if name == "register" else UNKNOWN


@attributes_of(Descriptor)
def _descriptor(it: Interpreter, value: Descriptor, name: str, node: cst.CSTNode) -> Value:
    changes = value.kind == "property" and name in ("setter", "getter", "deleter")
    return External("jitlint.keep") if changes else UNKNOWN
