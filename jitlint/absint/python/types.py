"""Type tests: what ``isinstance`` says of an abstract value, and what remains of it afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.machine.events import TypeTest
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Class,
    Const,
    External,
    Function,
    Level,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join_all, type_name

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

TRACER_TYPES: Final = frozenset({"jax.core.Tracer", "jax.extend.core.Tracer"})
ARRAY_TYPES: Final = frozenset(
    {
        "jax.Array",
        "jax.numpy.ndarray",
        "jaxtyping.Array",
        "chex.Array",
        "chex.ArrayDevice",
        "jax.typing.ArrayLike",
        "jaxtyping.ArrayLike",
        "collections.abc.Iterable",
        "typing.Iterable",
        "builtins.object",
    }
)
SCALAR_TYPES: Final = {
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.bool": "bool",
    "builtins.complex": "complex",
    "builtins.str": "str",
    "builtins.bytes": "bytes",
}
#: classes that a tracer never is an instance of
_NEVER: Final = frozenset(
    {
        *SCALAR_TYPES,
        "builtins.list",
        "builtins.tuple",
        "builtins.dict",
        "builtins.set",
        "builtins.slice",
        "builtins.type",
        "numpy.ndarray",
        "numpy.generic",
        "numpy.number",
        "numpy.integer",
        "numpy.floating",
        "numpy.bool_",
        "numbers.Number",
        "numbers.Real",
        "numbers.Integral",
        "numbers.Complex",
        "collections.abc.Sequence",
        "collections.abc.Mapping",
        "collections.abc.Callable",
        "collections.abc.Hashable",
        "typing.Sequence",
        "typing.Mapping",
        "typing.Callable",
        "types.FunctionType",
        "jax.ShapeDtypeStruct",
    }
)
_NUMBERS: Final = {
    "numbers.Number": ("int", "float", "bool", "complex"),
    "numbers.Real": ("int", "float", "bool"),
    "numbers.Integral": ("int", "bool"),
}
_SUBTYPES: Final = {"bool": ("bool", "int")}


def type_list(types: Value) -> list[Value]:
    """The classes of the second argument of ``isinstance``."""
    if isinstance(types, Tuple):
        return [inner for item in types.items for inner in type_list(item)]
    return [types]


def type_test(it: Interpreter, value: Value, types: Value) -> bool | None:
    """Outcome of ``isinstance(value, types)``, None if it is not known."""
    names = {cls.name for cls in type_list(types) if isinstance(cls, External)}
    if (
        isinstance(value, Ref)
        and {"builtins.list", "builtins.tuple"} <= names
        and isinstance(it.contents(value), ListObject)
    ):
        # Such an object stands for a list or a tuple of unknown length.
        return True
    outcomes = {
        _any(_one(it, member, cls) for cls in type_list(types)) for member in members_of(value)
    }
    return outcomes.pop() if len(outcomes) == 1 else None


def _any(outcomes: Iterable[bool | None]) -> bool | None:
    result: bool | None = False
    for outcome in outcomes:
        if outcome is True:
            return True
        if outcome is None:
            result = None
    return result


def _one(it: Interpreter, value: Value, cls: Value) -> bool | None:
    name = cls.name if isinstance(cls, External) else None
    if isinstance(value, Array):
        return _array(value, name, cls)
    if isinstance(value, Tree):
        if name in SCALAR_TYPES or (name in TRACER_TYPES and value.container):
            return False
        if name is not None and name in _NEVER and name.startswith("numpy."):
            return False
        return None
    if isinstance(value, (Const, Static)):
        return _static(value, name, cls)
    if isinstance(value, Tuple):
        if name == "builtins.tuple":
            return True
        if value.cls is not None and isinstance(cls, Class):
            return value.cls == cls
        return False if name in _NEVER or name in ARRAY_TYPES - {"builtins.object"} else None
    if isinstance(value, Ref):
        return _object(it, value, name, cls)
    if isinstance(value, (Function, BoundMethod, Partial, Transformed)):
        if name in ("collections.abc.Callable", "typing.Callable"):
            return True
        return False if name in _NEVER or name in ARRAY_TYPES else None
    return None


def _array(value: Array, name: str | None, cls: Value) -> bool | None:
    if name in ARRAY_TYPES:
        return True
    if name in TRACER_TYPES:
        return value.level is not Level.CONCRETE
    if name in _NEVER or isinstance(cls, Class):
        return False
    return None


def _static(value: Const | Static, name: str | None, cls: Value) -> bool | None:
    if isinstance(value, Const) and value.value is None:
        return False if name is not None or isinstance(cls, Class) else None
    kind = type_name(value)
    if name in TRACER_TYPES:
        return False
    if kind is None:
        return None
    if name in SCALAR_TYPES:
        return SCALAR_TYPES[name] in _SUBTYPES.get(kind, (kind,))
    if name in _NUMBERS:
        return None if kind == "ndarray" else kind in _NUMBERS[name]
    if kind == "ndarray":
        return True if name in ("numpy.ndarray", "chex.Array") else None
    if kind in SCALAR_TYPES.values() and (name in _NEVER or name in ARRAY_TYPES):
        return False if name not in ("builtins.object", "collections.abc.Hashable") else None
    return None


def _object(it: Interpreter, value: Ref, name: str | None, cls: Value) -> bool | None:
    contents = it.contents(value)
    if isinstance(contents, Instance):
        if isinstance(cls, Class):
            from jitlint.absint.program.classes import is_subclass

            return is_subclass(it, contents.cls, cls)
        return False if name in SCALAR_TYPES or name in TRACER_TYPES else None
    kinds = {
        ListObject: ("builtins.list", "builtins.tuple"),
        DictObject: ("builtins.dict",),
        SetObject: ("builtins.set",),
    }
    own = kinds.get(type(contents))
    if own is None:
        return None
    if name in own:
        return True if name == own[0] else None
    if name in SCALAR_TYPES or name in TRACER_TYPES or name in ("numpy.ndarray", "jax.Array"):
        return False
    return None


def narrow_type(it: Interpreter, value: Value, types: Value, truth: bool) -> Value:
    """What is left of a value after ``isinstance(value, types)`` came out as ``truth``."""
    members = members_of(value)
    kept = [member for member in members if type_test(it, member, types) is not (not truth)]
    if not truth:
        if isinstance(value, Tree):
            return _without_arrays(value, types)
        return join_all(kept, default=value) if isinstance(value, Union) else value
    narrowed = [_narrow_member(member, types) for member in kept]
    return join_all(narrowed, default=value)


def _without_arrays(value: Tree, types: Value) -> Tree:
    """A pytree that is no bare array: a container of them, if anything."""
    names = {cls.name for cls in type_list(types) if isinstance(cls, External)}
    if names & (TRACER_TYPES | {"jax.Array", "jax.numpy.ndarray"}):
        return value.replace(container=True)
    return value


def _narrow_member(value: Value, types: Value) -> Value:
    names = [cls.name if isinstance(cls, External) else None for cls in type_list(types)]
    if value == UNKNOWN or (isinstance(value, Static) and value.type is None):
        if all(name in SCALAR_TYPES for name in names):
            scalars = {SCALAR_TYPES[name] for name in names if name is not None}
            return Static(scalars.pop()) if len(scalars) == 1 else Static()
        if value == UNKNOWN and names == ["numpy.ndarray"]:
            return Static("ndarray")
    if isinstance(value, Tree):
        if all(name in ("jax.Array", "jax.numpy.ndarray", *TRACER_TYPES) for name in names):
            return Array(value.level, certainty=value.certainty, origin=value.origin)
        containers = ("builtins.dict", "builtins.list", "builtins.tuple")
        if all(name in containers for name in names):
            return value.replace(container=True)
    return value


def expected_scalars(types: Value) -> set[str]:
    """The Python scalars that pass a type test; empty where an array passes it too."""
    names = [cls.name if isinstance(cls, External) else None for cls in type_list(types)]
    if any(name is None or name in ARRAY_TYPES or name in TRACER_TYPES for name in names):
        return set()
    passing: set[str] = set()
    for name in names:
        if name in SCALAR_TYPES:
            passing.add(SCALAR_TYPES[name])
        elif name in _NUMBERS:
            passing.update(_NUMBERS[name])
    if "int" in passing:
        passing.add("bool")
    return passing


def check_type_test(it: Interpreter, value: Value, types: Value, node: cst.CSTNode) -> None:
    """Report a type test that a Python scalar would pass and the tracer it became does not."""
    if not isinstance(value, Array) or value.level is not Level.ABSTRACT:
        return
    passed = value.python_type
    if passed is not None and passed in expected_scalars(types):
        tested: cst.CSTNode = node
        if isinstance(node, cst.Call) and node.args:
            tested = node.args[0].value
        elif isinstance(node, cst.Comparison):
            asked = node.left
            tested = asked.args[0].value if isinstance(asked, cst.Call) and asked.args else asked
        it.emit(TypeTest, node, value, operand=tested, test=it.text(node), python_type=passed)


__all__ = [
    "ARRAY_TYPES",
    "NONE",
    "SCALAR_TYPES",
    "TRACER_TYPES",
    "check_type_test",
    "expected_scalars",
    "narrow_type",
    "type_list",
    "type_test",
]
