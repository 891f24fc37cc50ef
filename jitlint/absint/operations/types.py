"""Type tests: what ``isinstance`` says of an abstract value, and what remains of it afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import libcst as cst

from jitlint.absint.code.conditions import asks_for_default
from jitlint.absint.code.declarations import has_keywords
from jitlint.absint.code.syntax import dotted
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArrayExpected, TypeTestFailed
from jitlint.absint.machine.verbs import ValueRules
from jitlint.absint.program.classes import class_info, is_subclass
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    BoundMethod,
    Certainty,
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
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.absint.values.told import is_of_kind
from jitlint.jaxmodel.classes import (
    ARRAY_TYPES,
    BARE_ARRAYS,
    NEVER_TRACERS,
    NUMBERS,
    SCALAR_TYPES,
    TRACER_TYPES,
    excludes_leaves,
    excludes_tracers,
)

#: the class of None
_NONE: Final = "types.NoneType"

#: the scalar types that values of a type pass for, where there are more than itself
_SUBTYPES: Final = {"bool": ("bool", "int")}


def type_list(types: Value) -> list[Value]:
    """The classes of the second argument of ``isinstance``."""
    if isinstance(types, Tuple):
        return [inner for item in types.items for inner in type_list(item)]
    return [types]


def _names(types: Value) -> list[str | None]:
    """The names of the classes of libraries among some classes, None for all others."""
    return [cls.name if isinstance(cls, External) else None for cls in type_list(types)]


# -- outcomes -------------------------------------------------------------------------------------

#: whether a value is an instance of a class: ``rule(it, value, name, cls)``
_TESTS = ValueRules()


def type_test(it: Interpreter, value: Value, types: Value) -> bool | None:
    """Outcome of ``isinstance(value, types)``, None if it is not known."""
    if (
        isinstance(value, Ref)
        and {"builtins.list", "builtins.tuple"} <= set(_names(types))
        and isinstance(it.contents(value), ListObject)
    ):
        # Such an object stands for a list or a tuple of unknown length.
        return True
    if (shown := is_of_kind(value, types)) is not None:
        return shown
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
    outcome: bool | None = _TESTS[type(value)](it, value, name, cls)
    return outcome


@_TESTS.of(object, Value)
def _unknown(it: Interpreter, value: Value, name: str | None, cls: Value) -> bool | None:
    return None


@_TESTS.of(Array)
def _array(it: Interpreter, value: Array, name: str | None, cls: Value) -> bool | None:
    if name in ARRAY_TYPES:
        return True
    if name in TRACER_TYPES:
        return value.level is not Level.CONCRETE
    excluded = isinstance(cls, Class) or (name is not None and excludes_tracers(name))
    return False if excluded else None


@_TESTS.of(Tree)
def _tree(it: Interpreter, value: Tree, name: str | None, cls: Value) -> bool | None:
    if name in TRACER_TYPES and not value.container and value.level is not Level.CONCRETE:
        # Who asks means one tracer, or no tracers at all; so it also comes out in other functions.
        return True
    if name == _NONE:
        return False if value.present else None
    excluded = name in TRACER_TYPES or (name is not None and excludes_leaves(name))
    return False if excluded else None


@_TESTS.of(Const, Static)
def _static(it: Interpreter, value: Const | Static, name: str | None, cls: Value) -> bool | None:
    if isinstance(value, Const) and value.value is None:
        return name == _NONE or False if name is not None or isinstance(cls, Class) else None
    if isinstance(value, Const) and isinstance(cls, Class):
        return False if _is_plain(it, cls) else None
    kind = type_name(value)
    if name in TRACER_TYPES:
        return False
    if kind is None:
        return None
    if name in SCALAR_TYPES:
        return SCALAR_TYPES[name] in _SUBTYPES.get(kind, (kind,))
    if name in NUMBERS:
        return None if kind == "ndarray" else kind in NUMBERS[name]
    if kind == "ndarray":
        return True if name in ("numpy.ndarray", "chex.Array") else None
    if kind in SCALAR_TYPES.values() and (name in NEVER_TRACERS or name in ARRAY_TYPES):
        return False if name not in ("builtins.object", "collections.abc.Hashable") else None
    return None


def _is_plain(it: Interpreter, cls: Class) -> bool:
    """Whether nothing but objects of a class and its subclasses passes for one of it."""
    info = class_info(it, cls)
    return (
        info.complete
        and not info.externals
        and not any(has_keywords(other.definition) for other in info.mro)
    )


@_TESTS.of(Tuple)
def _tuple(it: Interpreter, value: Tuple, name: str | None, cls: Value) -> bool | None:
    if name == "builtins.tuple":
        return True
    if value.cls is not None and isinstance(cls, Class):
        return value.cls == cls
    return False if name in NEVER_TRACERS or name in ARRAY_TYPES - {"builtins.object"} else None


#: the types of Python's own callables
_CALLABLES: Final[dict[type[Value], tuple[str, ...]]] = {
    Function: ("types.FunctionType", "types.LambdaType"),
    BoundMethod: ("types.MethodType",),
    Partial: ("functools.partial",),
    Transformed: (),
}


@_TESTS.of(Function, BoundMethod, Partial, Transformed)
def _callable(it: Interpreter, value: Value, name: str | None, cls: Value) -> bool | None:
    if name in ("collections.abc.Callable", "typing.Callable") or name in _CALLABLES[type(value)]:
        return True
    if isinstance(cls, Class):
        return False if _is_plain(it, cls) else None
    return False if name in NEVER_TRACERS or name in ARRAY_TYPES else None


@_TESTS.of(External)
def _external(it: Interpreter, value: External, name: str | None, cls: Value) -> bool | None:
    return False if isinstance(cls, Class) and _is_plain(it, cls) else None


@_TESTS.of(Instance)
def _instance(it: Interpreter, value: Ref, name: str | None, cls: Value) -> bool | None:
    if isinstance(cls, Class):
        return is_subclass(it, it.contents(value).cls, cls)
    return False if name in SCALAR_TYPES or name in TRACER_TYPES else None


_CONTAINERS: Final[dict[type, tuple[str, ...]]] = {
    ListObject: ("builtins.list", "builtins.tuple"),
    DictObject: ("builtins.dict",),
    SetObject: ("builtins.set",),
}


@_TESTS.of(*_CONTAINERS)
def _container(it: Interpreter, value: Ref, name: str | None, cls: Value) -> bool | None:
    if isinstance(cls, Class):
        return False if _is_plain(it, cls) else None
    contents = it.contents(value)
    own = _CONTAINERS[type(contents)]
    if name in own and isinstance(contents, ListObject) and contents.is_tuple:
        return name == "builtins.tuple"
    if name in own:
        return True if name == own[0] else None
    if name in SCALAR_TYPES or name in TRACER_TYPES or name in ("numpy.ndarray", "jax.Array"):
        return False
    return None


# -- what remains ---------------------------------------------------------------------------------


def narrow_type(it: Interpreter, value: Value, types: Value, truth: bool) -> Value:
    """What is left of a value after ``isinstance(value, types)`` came out as ``truth``."""
    members = members_of(value)
    possible = [member for member in members if type_test(it, member, types) is not (not truth)]
    if not truth:
        left = [_that_failed(it, member, types) for member in possible]
        return join_all(left, default=value) if left != [value] else value
    return join_all([_narrow_member(it, member, types) for member in possible], default=value)


def is_far_fetched(it: Interpreter, test: cst.BaseExpression) -> bool:
    """Whether a test asks of an array whether it is of a class not known to be one of arrays.

    ``isinstance(covariance, CovarianceMatrix)``, of a library that is not known.
    """
    if type(test) is not cst.Call or dotted(test.func) != "isinstance" or len(test.args) != 2:
        return False
    with it.speculating():
        value, types = (it.ev(each.value) for each in test.args)
    classes = type_list(types)
    return (
        isinstance(value, Array)
        and bool(classes)
        and all(isinstance(cls, External) and _one(it, value, cls) is None for cls in classes)
    )


def _alternatives(it: Interpreter, types: Value) -> list[Value]:
    """The classes that may be meant: one name stands for several, or a list is put together."""
    contents = it.contents(types) if isinstance(types, Ref) else None
    if isinstance(contents, ListObject):
        return [*members_of(contents.element)]
    return [member for cls in type_list(types) for member in members_of(cls)]


def _that_failed(it: Interpreter, value: Value, types: Value) -> Value:
    """One of several values, after it failed a test for classes.

    Of an array that may be of one of them nothing is known, as where ``try: from jax import Array``
    has another class behind ``except ImportError``.
    """
    if isinstance(value, Tree):
        return _without_arrays(it, value, types)
    if not isinstance(value, Array):
        return value
    passes = any(_one(it, value, cls) for cls in _alternatives(it, types))
    return UNKNOWN if passes else value


def _without_arrays(it: Interpreter, value: Tree, types: Value) -> Tree:
    """A pytree that is no bare array: a container of them, if anything."""
    names = [cls.name for cls in _alternatives(it, types) if isinstance(cls, External)]
    if any(name in TRACER_TYPES for name in names):
        # Who asks for tracers means what is left to be none, not a container of them.
        return value.replace(container=True, certainty=Certainty.GUESS, buffers=value.buffers)
    if any(name in BARE_ARRAYS for name in names):
        return value.replace(container=True, buffers=value.buffers)
    return value


def _all_of_project(it: Interpreter, types: Value) -> bool:
    """Whether no array is of any of some classes."""
    classes = types.items if isinstance(types, Tuple) else members_of(types)
    infos = [class_info(it, cls) for cls in classes if isinstance(cls, Class)]
    return 0 < len(infos) == len(classes) and all(
        info.named
        and _NO_ARRAYS.issuperset(info.externals)
        and not any(has_keywords(other.definition) for other in info.mro)
        for info in infos
    )


#: what classes are made of whose objects are no arrays
_NO_ARRAYS: Final = frozenset(
    {"builtins.dict", "builtins.list", "builtins.object", "builtins.tuple"}
)


def _narrow_member(it: Interpreter, value: Value, types: Value) -> Value:
    names = _names(types)
    if value == UNKNOWN or (isinstance(value, Static) and value.type is None):
        if all(name in SCALAR_TYPES for name in names):
            scalars = {SCALAR_TYPES[name] for name in names if name is not None}
            return Static(scalars.pop()) if len(scalars) == 1 else Static()
        if value == UNKNOWN and names == ["numpy.ndarray"]:
            return Static("ndarray")
    if isinstance(value, Tree):
        if _all_of_project(it, types):
            return value.replace(container=True, buffers=value.buffers)
        if all(name in BARE_ARRAYS for name in names):
            return Array(value.level, certainty=value.certainty, origin=value.origin)
        containers = ("builtins.dict", "builtins.list", "builtins.tuple")
        if all(name in containers for name in names):
            return value.replace(container=True, buffers=value.buffers)
    return value


# -- reports --------------------------------------------------------------------------------------


def check_type_test(it: Interpreter, value: Value, types: Value, node: cst.CSTNode) -> None:
    """Report a type test that a Python scalar would pass and the tracer it became does not."""
    if not isinstance(value, Array) or value.level is not Level.ABSTRACT:
        return
    passed = value.python_type
    if passed is None:
        return
    code = it.frame.code
    if code is not None and it.frame.parsed.fact(asks_for_default, (code, node)):
        return
    if passed in _expected_scalars(types):
        it.signal(TypeTestFailed(value, node, passed))
    elif any(name in ARRAY_TYPES or name in TRACER_TYPES for name in _names(types)):
        it.signal(ArrayExpected(node))


def _expected_scalars(types: Value) -> set[str]:
    """The Python scalars that pass a type test; empty where an array passes it too."""
    names = _names(types)
    if any(name is None or name in ARRAY_TYPES or name in TRACER_TYPES for name in names):
        return set()
    passing: set[str] = set()
    for name in names:
        if name in SCALAR_TYPES:
            passing.add(SCALAR_TYPES[name])
        elif name in NUMBERS:
            passing.update(NUMBERS[name])
    if "int" in passing:
        passing.add("bool")
    return passing
