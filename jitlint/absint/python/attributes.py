"""Attribute access on abstract values."""

from __future__ import annotations

import math
from typing import Final

import libcst as cst

from jitlint.absint.machine.events import Conversion
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program import members
from jitlint.absint.program.names import module_attribute
from jitlint.absint.python import operations
from jitlint.absint.values.domain import (
    BOOL,
    DTYPE,
    INT,
    MADE_ROWS,
    NDARRAY,
    SHAPE,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    ArrayMethod,
    BoundMethod,
    Class,
    Const,
    ContainerMethod,
    Descriptor,
    Dispatched,
    External,
    ExternalInstance,
    Function,
    Level,
    ModuleValue,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import frameworks, functions

#: constants that programs compare with and start loops from
_NUMBERS: Final[dict[str, Value]] = {
    f"{module}.{name}": Const(number)
    for module in ("numpy", "jax.numpy", "math")
    for name, number in (
        ("inf", math.inf), ("pi", math.pi), ("e", math.e), ("nan", math.nan), ("tau", math.tau)
    )
}  # fmt: skip
_STATIC_ATTRIBUTES: Final[dict[str, Value]] = {
    "shape": SHAPE,
    "ndim": INT,
    "size": INT,
    "itemsize": INT,
    "nbytes": INT,
    "dtype": DTYPE,
    "weak_type": BOOL,
}


def get_attribute(it: Interpreter, value: Value, name: str, node: cst.CSTNode) -> Value:
    """``value.name`` for one alternative of a value."""
    if value is UNKNOWN:
        return _OF_ANYTHING.get(name, UNKNOWN)
    if isinstance(value, External):
        full = f"{value.name}.{name}"
        return _NUMBERS.get(full) or External(full)
    if isinstance(value, ModuleValue):
        return module_attribute(it, value.module, name)
    if isinstance(value, Array):
        return array_attribute(it, value, name, node)
    if isinstance(value, Tree):
        return _tree_attribute(it, value, name, node)
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, Instance):
            return members.instance_attribute(it, value, name, node)
        if isinstance(contents, (ListObject, DictObject, SetObject)):
            return ContainerMethod(value, name)
        return UNKNOWN
    if isinstance(value, Tuple):
        return members.tuple_attribute(it, value, name, node)
    if isinstance(value, (Const, Static)):
        return _static_attribute(value, name)
    if isinstance(value, Class):
        return members.class_value_attribute(it, value, name)
    if isinstance(value, ExternalInstance):
        return _external_attribute(it, value, name, node)
    if isinstance(value, (Function, Transformed, Partial, BoundMethod)):
        return _function_attribute(value, name)
    if isinstance(value, Dispatched):
        return (
            Partial(External("jitlint.register"), (value,), ()) if name == "register" else UNKNOWN
        )
    if isinstance(value, Descriptor):
        if value.kind == "property" and name in ("setter", "getter", "deleter"):
            return External("jitlint.keep")
        return UNKNOWN
    # Whatever it is: a shape is a tuple of ints, a dtype no tracer, and what `.at[...].set(...)`
    # gives an array.
    return _OF_ANYTHING.get(name, UNKNOWN)


_OF_ANYTHING: Final[dict[str, Value]] = {
    "shape": SHAPE,
    "dtype": DTYPE,
    "at": ExternalInstance("jax.Array.at", (("array", UNKNOWN),)),
}


def array_attribute(it: Interpreter, value: Array, name: str, node: cst.CSTNode) -> Value:
    """An attribute of an array or tracer."""
    fixed = _STATIC_ATTRIBUTES.get(name)
    if fixed is not None:
        return fixed
    if name == "at":
        return ExternalInstance("jax.Array.at", (("array", value),))
    fact = functions.array_attribute(name)
    if fact is not None:
        if fact.kind == "array":
            return operations.array_result(it, (value,), dtype=value.dtype, node=node)
        if fact.kind == "static":
            return STATIC
        if fact.kind == "concretizes" and value.level is Level.ABSTRACT:
            it.emit(Conversion, node, value, exceptions=fact.exceptions, callee=f".{name}")
        return UNKNOWN
    if functions.array_method(name) is not None:
        return ArrayMethod(value, name)
    asked = _SPECIAL.get(name)
    return UNKNOWN if asked is None else Partial(External(asked), (value,), ())


#: special methods of arrays that programs call by name, and what calls them otherwise
_SPECIAL: Final = {
    "__bool__": "builtins.bool",
    "__float__": "builtins.float",
    "__int__": "builtins.int",
    "__complex__": "builtins.complex",
    "__index__": "operator.index",
    "__hash__": "builtins.hash",
    "__array__": "numpy.asarray",
    "__getitem__": "operator.getitem",
    "__len__": "builtins.len",
    **{
        f"__{name}__": f"operator.{name}"
        for name in "add sub mul truediv floordiv mod pow matmul lt le gt ge eq ne neg".split()
    },
}


def _tree_attribute(it: Interpreter, value: Tree, name: str, node: cst.CSTNode) -> Value:
    fixed = _STATIC_ATTRIBUTES.get(name)
    if fixed is not None and not value.container:
        return fixed
    if name in ("items", "keys", "values", "get", "pop", "copy", "update", "setdefault"):
        return ContainerMethod(value, name)
    if value.container:
        return UNKNOWN
    if functions.array_attribute(name) is not None or name == "at":
        return array_attribute(
            it, Array(value.level, certainty=value.certainty, origin=value.origin), name, node
        )
    if functions.array_method(name) is not None and name not in _AMBIGUOUS_METHODS:
        array = Array(value.level, certainty=value.certainty, origin=value.origin)
        return ArrayMethod(array, name)
    # A field: it may be a static one.
    return value if value.arrays_only else UNKNOWN


#: methods that arrays share with containers or user classes
_AMBIGUOUS_METHODS: Final = frozenset("copy sort compress take repeat choose".split())


def _static_attribute(value: Const | Static, name: str) -> Value:
    kind = type_name(value)
    if kind == "ndarray":
        fixed = _STATIC_ATTRIBUTES.get(name)
        if fixed is not None:
            return fixed
        if name in ("T", "real", "imag", "flat"):
            return value if value == MADE_ROWS and name != "flat" else NDARRAY
        return ContainerMethod(value, name)
    if kind in ("str", "bytes", "int", "float", "bool", "complex", "shape"):
        return ContainerMethod(value, name)
    if kind == "dtype":
        return STATIC
    if isinstance(value, Const):
        return UNKNOWN
    return STATIC


def _external_attribute(
    it: Interpreter, value: ExternalInstance, name: str, node: cst.CSTNode
) -> Value:
    attributes = dict(value.attributes)
    if name in attributes:
        return attributes[name]
    if value.cls == "jax.Array.at":
        return UNKNOWN
    if value.cls == "builtins.super":
        owner = attributes["<owner>"]
        assert isinstance(owner, Class)
        return members.super_attribute(it, owner, attributes["<receiver>"], name, node)
    level = attributes.get("<level>")
    if isinstance(level, Array) and name in frameworks.layer_arrays(value.cls):
        box = (("<level>", level), ("value", level))
        return ExternalInstance("flax.nnx.Param", box)
    fact = frameworks.base_class(value.cls)
    if fact is not None:
        if name in fact.methods:
            return ExternalInstance(
                "jitlint.method",
                (
                    ("gives", Const(fact.methods[name])),
                    ("name", Const(name)),
                    ("receiver", value),
                ),
            )
        if name in fact.static_fields:
            return UNKNOWN
        if isinstance(level, Array) and name in fact.traced_fields:
            return Tree(level.level, certainty=level.certainty, origin=level.origin)
    return ExternalInstance("jitlint.attribute", (("name", Const(name)), ("receiver", value)))


def _function_attribute(value: Value, name: str) -> Value:
    if name in ("__name__", "__qualname__", "__doc__", "__module__"):
        return STR
    if (
        name == "__wrapped__"
        and isinstance(value, BoundMethod)
        and isinstance(value.function, Transformed)
    ):
        return BoundMethod(value.function.function, value.receiver)
    if isinstance(value, Transformed):
        if name in ("__wrapped__", "fun"):
            return value.function
        if name in _TRANSFORMED_METHODS:
            return BoundMethod(External(f"jitlint.transformed.{name}"), value)
    if isinstance(value, Partial) and name == "func":
        return value.function
    return UNKNOWN


_TRANSFORMED_METHODS: Final = frozenset(
    {"lower", "trace", "eval_shape", "defvjp", "defjvp", "defjvps", "def_vmap", "clear_cache"}
)
