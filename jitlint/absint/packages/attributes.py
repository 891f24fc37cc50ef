"""Attributes of arrays, of static values, and of what libraries make."""

from __future__ import annotations

import math
from typing import Final

import libcst as cst

from jitlint.absint.events import Conversion
from jitlint.absint.library.registry import Call
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.given import Given
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AskedAsArray
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.machine.verbs import attributes_of
from jitlint.absint.modules.module_state import is_patched
from jitlint.absint.packages.dtypes import dtype_of
from jitlint.absint.packages.results import described, tree_of
from jitlint.absint.packages.variables import VARIABLES
from jitlint.absint.program.members import super_attribute
from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    BOOL,
    DTYPE,
    FALSE,
    INT,
    MADE_ROWS,
    NDARRAY,
    SHAPE,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    ArrayMethod,
    Certainty,
    Class,
    Const,
    ContainerMethod,
    External,
    ExternalInstance,
    Level,
    Partial,
    Static,
    Tree,
    Value,
)
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import companions, frameworks, functions
from jitlint.jaxmodel.moved import current_name

#: constants that programs compare with and start loops from
_NUMBERS: Final[dict[str, Value]] = {
    f"{module}.{name}": Const(number)
    for module in ("numpy", "jax.numpy", "math")
    for name, number in (
        ("inf", math.inf), ("pi", math.pi), ("e", math.e), ("nan", math.nan), ("tau", math.tau)
    )
}  # fmt: skip
#: says that nothing is compiled: never what is, as observed under JAX 0.10.2
_NO_JIT: Final = "jax.config.jax_disable_jit"
#: how code asks which array library it was given
_NAMES: Final[dict[str, Value]] = {
    f"{module}.__name__": Const(module)
    for module in ("numpy", "jax.numpy", "scipy", "cupy", "dask.array", "autograd.numpy", "torch")
}
#: where the classes of tracers are: each transform's is in another module of one package, and it is
#: for the package that code asks
_TRACERS: Final = Const("jax._src.interpreters.partial_eval")
#: what is known of every array without its values
_STATIC_ATTRIBUTES: Final[dict[str, Value]] = {
    "shape": SHAPE,
    "ndim": INT,
    "size": INT,
    "itemsize": INT,
    "nbytes": INT,
    "dtype": DTYPE,
    "weak_type": BOOL,
}
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
#: of what the keys of dicts are
_KEYS: Final = (str, int, float, tuple)
_DICT_METHODS: Final = frozenset("items keys values get pop copy update setdefault".split())
#: methods that arrays share with containers or user classes
_AMBIGUOUS_METHODS: Final = frozenset("copy sort compress take repeat choose".split())


@attributes_of(External)
def _external(it: Interpreter, value: External, name: str, node: cst.CSTNode) -> Value:
    if is_patched(it, node):
        # What the program puts in its place may be anything.
        return UNKNOWN
    full = current_name(f"{value.name}.{name}")
    if full == _NO_JIT and it.frame.context.staging and not it.frame.context.disabled:
        return FALSE
    return _NUMBERS.get(full) or _NAMES.get(full) or External(full)


@attributes_of(Array)
def _array(it: Interpreter, value: Array, name: str, node: cst.CSTNode) -> Value:
    fixed = _STATIC_ATTRIBUTES.get(name)
    if fixed is not None:
        if value.python_type is not None:
            it.signal(AskedAsArray(value))
        if name == "dtype":
            return dtype_of(value)
        return _of_extent(fixed, name, value)
    if name == "at":
        return ExternalInstance("jax.Array.at", (("array", value),))
    if name == "__class__":
        return ExternalInstance("jitlint.type", (("of", value),))
    fact = functions.array_attribute(name)
    if fact is not None:
        if fact.kind == "array":
            return array_result(it, (value,), dtype=value.dtype, node=node)
        if fact.kind == "static":
            return STATIC
        if fact.kind == "concretizes" and value.level is Level.ABSTRACT:
            it.emit(Conversion, node, value, exceptions=fact.exceptions, callee=f".{name}")
        return UNKNOWN
    if functions.array_method(name) is not None:
        return ArrayMethod(value, name)
    special = _SPECIAL.get(name)
    return UNKNOWN if special is None else Partial(External(special), (value,), ())


def _of_extent(fixed: Value, name: str, array: Array | Const | Static) -> Value:
    """What ``shape``, ``size`` and ``ndim`` tell of how large an array is."""
    extent = None if isinstance(array, Const) else array.extent
    if not isinstance(fixed, Static):
        return fixed
    if extent is None:
        return _of_rank(fixed, name, array) if isinstance(array, Array) else fixed
    return fixed.of_extent(extent) if name in ("shape", "size") else fixed


def _of_rank(fixed: Static, name: str, tracer: Array | Tree) -> Static:
    """What ``ndim`` and ``shape`` are of a tracer that was computed, of one rank or another."""
    if name not in ("ndim", "shape") or tracer.level is Level.CONCRETE:
        return fixed
    known = isinstance(tracer, Array) and tracer.rank is not None
    passed = isinstance(tracer.origin, Given)
    return fixed if known or passed else fixed.of_rank(scalar=False)


@attributes_of(Tree)
def _tree(it: Interpreter, value: Tree, name: str, node: cst.CSTNode) -> Value:
    fixed = _STATIC_ATTRIBUTES.get(name)
    if fixed is not None and not value.container:
        return _of_rank(fixed, name, value) if isinstance(fixed, Static) else fixed
    if name in _DICT_METHODS:
        return ContainerMethod(value, name)
    if value.container:
        return UNKNOWN
    if name == "__class__":
        # Whoever asks for its package knows that it is no container.
        return ExternalInstance("jitlint.class", (("__module__", _TRACERS),))
    certainty = value.certainty
    if certainty is Certainty.GUESS and functions.lacks(name):
        # What a tracer has not is asked of something else: `mesh.clone(value=...)`.
        return UNKNOWN
    if certainty is Certainty.GUESS and not any(hasattr(kind, name) for kind in _KEYS):
        # No key of a dict has it: what was iterated holds arrays.
        certainty = Certainty.SURE
    array = Array(value.level, certainty=certainty, origin=value.origin, buffers=value.buffers)
    if functions.array_attribute(name) is not None or name == "at":
        return _array(it, array, name, node)
    if functions.array_method(name) is not None and name not in _AMBIGUOUS_METHODS:
        return ArrayMethod(array, name)
    # A field: it may be a static one.
    if value.arrays_only:
        return value.replace(buffers=part_of(value.buffers)) if value.buffers else value
    return UNKNOWN


@attributes_of(Const, Static)
def _static(it: Interpreter, value: Const | Static, name: str, node: cst.CSTNode) -> Value:
    kind = type_name(value)
    if kind == "ndarray":
        fixed = _STATIC_ATTRIBUTES.get(name)
        if fixed is not None:
            return _of_extent(fixed, name, value)
        if name in ("T", "real", "imag", "flat"):
            return value if value == MADE_ROWS and name != "flat" else NDARRAY
        return ContainerMethod(value, name)
    if kind in ("str", "bytes", "int", "float", "bool", "complex", "shape"):
        return ContainerMethod(value, name)
    return STATIC if kind == "dtype" or isinstance(value, Static) else UNKNOWN


@attributes_of(ExternalInstance)
def _instance(it: Interpreter, value: ExternalInstance, name: str, node: cst.CSTNode) -> Value:
    attributes = dict(value.attributes)
    if name in attributes:
        return attributes[name]
    if value.cls == "jax.Array.at":
        return UNKNOWN
    if value.cls == "jitlint.type" and name == "__module__":
        of = attributes["of"]
        # Whoever asks for its package knows that it is no container.
        if isinstance(of, Array) or (isinstance(of, Tree) and not of.container):
            return _TRACERS if of.level >= Level.VALUE else STR
        return STR
    if value.cls == "builtins.super":
        owner = attributes["<owner>"]
        assert isinstance(owner, Class)
        return super_attribute(it, owner, attributes["<receiver>"], name, node)
    level = attributes.get("<level>")
    if isinstance(level, Array) and name in frameworks.layer_arrays(value.cls):
        return ExternalInstance("flax.nnx.Param", (("<level>", level), ("value", level)))
    fact = frameworks.base_class(value.cls)
    if fact is None and name in ("apply", "init") and value.cls.startswith("flax.linen."):
        # A layer of the framework's own, used by itself.
        fact = frameworks.base_class("flax.linen.Module")
    if fact is not None:
        if name in fact.methods:
            return _method(value, name, fact.methods[name])
        if name in fact.static_fields:
            return UNKNOWN
        if isinstance(level, Array) and name in fact.traced_fields:
            return level if name in fact.array_fields else tree_of(level)
    given = companions.method_gives(value.cls, name)
    if given is not None:
        return _method(value, name, given)
    holds = companions.field_holds(value.cls, name)
    if holds is not None:
        if not companions.is_solution(value.cls):
            return described(it, holds, Call(name, Arguments(), node))
        if not isinstance(level, Array):
            return UNKNOWN
        return level if holds == "array" else tree_of(level)
    if value.cls in VARIABLES and isinstance(attributes.get("value"), Array):
        return it.attribute(attributes["value"], name, node)
    return ExternalInstance("jitlint.attribute", (("name", Const(name)), ("receiver", value)))


def _method(receiver: ExternalInstance, name: str, gives: str) -> ExternalInstance:
    """A method of a library's object, which gives what the words of the tables say."""
    called = (("gives", Const(gives)), ("name", Const(name)), ("receiver", receiver))
    return ExternalInstance("jitlint.method", called)
