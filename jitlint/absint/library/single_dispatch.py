"""Functions that choose what runs by the type of an argument: ``functools.singledispatch``.

The implementations of a generic function stand anywhere in the project; they are gathered when it
is first called.  A tracer is dispatched by its own class, which derives neither from ``jax.Array``
nor from a Python number, so it gets to the default implementation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.modules.annotations import classes_of
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.operations.types import type_list, type_test
from jitlint.absint.program.classes import is_subclass
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Class,
    Dispatched,
    External,
    Function,
    Level,
    Partial,
    Ref,
    Tree,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel.classes import ARRAY_TYPES

if TYPE_CHECKING:
    from jitlint.project.units import Unit

#: the classes by which a tracer is found, besides its own
_ABOVE_TRACERS: Final = frozenset(
    {"builtins.object", "collections.abc.Iterable", "typing.Iterable"}
)

_CONTAINERS: Final[dict[str | None, type]] = {
    "builtins.list": ListObject,
    "builtins.tuple": ListObject,
    "builtins.dict": DictObject,
    "builtins.set": SetObject,
}

#: types, None where they are not known, and what runs for them
_Implementation = tuple[Value | None, Value]


@model("functools.singledispatch", "functools.singledispatchmethod")
def _generic(it: Interpreter, call: Call) -> Value:
    function = call.first
    if isinstance(function, Function) and not function.closure:
        return Dispatched(function, method=call.name == "singledispatchmethod")
    # What a function makes on each of its calls has a registry of its own each time.
    return function


@model("jitlint.register")
def _register(it: Interpreter, call: Call) -> Value:
    """``generic.register(cls)``, ``@generic.register`` and ``generic.register(cls, function)``."""
    generic, *given = call.positional
    if not isinstance(generic, Dispatched) or not given:
        return UNKNOWN
    if len(given) == 1 and not isinstance(base_function(given[0]), Function):
        return Partial(External("jitlint.register"), (generic, given[0]), ())
    implementation = given[-1]
    types = given[0] if len(given) > 1 else _annotated(it, generic, implementation)
    it.reads.changed(generic.function.code.module)
    key = _key(generic)
    known = it.registered.get(key, ())
    if (types, implementation) not in known:
        it.registered[key] = (*known, (types, implementation))
    return implementation


def _key(generic: Dispatched) -> tuple[str, int]:
    return ("implementations", id(generic.function.code))


def _annotated(it: Interpreter, generic: Dispatched, implementation: Value) -> Value | None:
    """The class that the annotation of an implementation's first parameter names."""
    function = base_function(implementation)
    if function is None:
        return None
    code = it.load(function.code)
    position = int(generic.method)
    if code is None or position >= len(code.parameters):
        return None
    return classes_of(it, code, code.parameters[position])


def _implementations(it: Interpreter, generic: Dispatched) -> Sequence[_Implementation]:
    """What is registered with a generic function anywhere in the project."""
    key = _key(generic)
    if (key, "gathered") not in it.registered:
        it.registered[key, "gathered"] = True
        module = generic.function.code.module
        with it.reads.of(it, module, f"implementations of {generic.function.code.qualname}"):
            for unit in _registering(it, generic):
                run_unit(it, unit)
    found: Sequence[_Implementation] = it.registered.get(key, ())
    return found


def _registering(it: Interpreter, generic: Dispatched) -> Iterator[Unit]:
    """Decorated functions and statements of modules that register with a generic function."""
    code = generic.function.code
    registers = re.compile(rf"\b{re.escape(code.name)}\.register\b")
    if generic.method:
        if code.cls is not None:
            for units in code.cls.methods.values():
                yield from (unit for unit in units if unit.finds(registers))
        return
    for module in it.modules_with(code.name):
        found = module.units_finding(code.name, registers)
        yield from (unit for unit in found if unit.cls is None)


@calls_of(Dispatched)
def _call(it: Interpreter, generic: Dispatched, args: Arguments, node: cst.CSTNode) -> Value:
    position = int(generic.method)
    if position >= len(args.positional):
        return UNKNOWN
    argument = args.positional[position]
    implementations = _implementations(it, generic)
    results = []
    for member in members_of(argument):
        chosen = _chosen(it, generic, member, implementations)
        changed = replace(args, positional=[*args.positional])
        changed.positional[position] = member
        try:
            if chosen is not None:
                results.append(it.call(chosen, changed, node))
                continue
            # Any of them may run.
            with it.speculating():
                every = (generic.function, *(function for _, function in implementations))
                results += [it.call(function, changed, node) for function in every]
        except Terminated:
            continue
    if not results:
        raise Terminated
    return join_all(results)


def _chosen(
    it: Interpreter,
    generic: Dispatched,
    argument: Value,
    implementations: Sequence[_Implementation],
) -> Value | None:
    """What runs for an argument, None if it is not known."""
    best: tuple[Value, Value] | None = None
    for types, implementation in implementations:
        if types is None:
            return None
        for cls in type_list(types):
            matches = _matches(it, argument, cls)
            if matches is None:
                return None
            if matches and (best is None or _is_narrower(it, cls, best[0])):
                best = (cls, implementation)
    return generic.function if best is None else best[1]


def _matches(it: Interpreter, argument: Value, cls: Value) -> bool | None:
    """Whether an argument's class derives from another, None if it is not known."""
    name = cls.name if isinstance(cls, External) else None
    traced = isinstance(argument, (Array, Tree)) and argument.level is not Level.CONCRETE
    if name in _ABOVE_TRACERS and isinstance(argument, Array):
        return True
    if traced and name in ARRAY_TYPES:
        return False
    contents = it.contents(argument) if isinstance(argument, Ref) else None
    if name in _CONTAINERS and isinstance(contents, tuple(_CONTAINERS.values())):
        mutable = isinstance(contents, ListObject) and contents.mutable
        if mutable or not isinstance(contents, _CONTAINERS[name]):
            # What stands for a list may be a tuple, unless it was made as a list.
            return isinstance(contents, _CONTAINERS[name]) and name != "builtins.tuple"
    return type_test(it, argument, cls)


def _is_narrower(it: Interpreter, cls: Value, other: Value) -> bool:
    """Whether a class is preferred to another that an argument is an instance of as well."""
    if isinstance(cls, Class) and isinstance(other, Class):
        return is_subclass(it, cls, other) is True
    return other in (External("builtins.object"), External("builtins.int"))
