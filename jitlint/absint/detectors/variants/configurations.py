"""Loops through configurations that the code lists: texts, shapes, variants of what is measured.

``for shape in SHAPES: model, params = build(shape)`` works with another model in each turn, and a
function that closes over it needs a program of its own there, which no argument could stand for.
A list of numbers may as well be one of seeds or rates: what is made of those is followed only as
far as it is neither an array nor a number, for which arguments could stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import called_name
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name, loop_targets
from jitlint.absint.detectors.surroundings.paths import repeating_loops
from jitlint.absint.detectors.surroundings.written import values_in
from jitlint.absint.detectors.variants.fixed_arguments import value_named
from jitlint.absint.detectors.variants.fixed_values import worked_on
from jitlint.absint.detectors.variants.numeric import is_of_numbers
from jitlint.absint.detectors.variants.origins import goes_on, origins
from jitlint.absint.limits import CLOSURE_LEVELS
from jitlint.absint.values.domain import (
    Array,
    Const,
    External,
    Function,
    Ref,
    Static,
    Tuple,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.heap import DictObject, ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.absint.values.statics import is_number
from jitlint.jaxmodel.functions import constant

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter


class _Listing(IntEnum):
    """What a loop goes through.

    Attributes:
      NUMBERS: numbers that are listed.
      SETTINGS: texts, flags, rows or functions that are listed: no arrays.
    """

    NUMBERS = 1
    SETTINGS = 2


def configured_in(it: Interpreter, function: Value) -> frozenset[Code | None]:
    """The running functions whose loops give a function something else to close over in each turn.

    Args:
      it: the interpreter, at the place that transforms the function.
      function: what is transformed.

    Returns:
      Of the function that transforms it, and of those around it in which it was made, the ones all
      of whose loops go through configurations that it follows; None stands for code of a module.
    """
    base = base_function(function)
    if base is None or not base.closure:
        return frozenset()
    read: frozenset[str] | None = None
    given: frozenset[str] = frozenset()
    found: set[Code | None] = set()
    for frame in it.active_frames():
        loops = repeating_loops(frame)
        if loops and (frame is it.frame or frame.env in base.closure):
            if read is None:
                read = names_read(it, function)
            names = read | given
            if all(_follows(it, loop, loops[0], names) for loop in loops):
                found.add(frame.code)
        given = _given(frame)
    return frozenset(found)


def _given(frame: Frame) -> frozenset[str]:
    """The names that the call of a running function passes it."""
    call = None if frame.chain is None or frame.is_root else frame.chain.step.place.node
    args = call.args if isinstance(call, cst.Call) else ()
    return frozenset(name for arg in args for name in values_in(arg.value))


def configured_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters for which a call passes another configuration in each turn of its loops.

    Returns:
      ``0 shape``, where the first of the loops around gives ``shape`` another one in each turn;
      nothing where there is a loop around that gives none of them any.
    """
    loops = repeating_loops(it.frame)
    if not loops or not isinstance(node, cst.Call):
        return frozenset()
    given = [(name, frozenset(values_in(value))) for name, value in given_by_name(callee, node)]
    found = [
        {f"{index} {name}" for name, used in given if _follows(it, loop, loops[0], used)}
        for index, loop in enumerate(loops)
    ]
    return frozenset[str]().union(*found) if all(found) else frozenset()


def are_configured(names: frozenset[str], configured: frozenset[str]) -> bool:
    """Whether each of the loops around a call gives some parameters another configuration.

    Args:
      names: the parameters.
      configured: those that the loops give one, as :func:`configured_parameters` says it.
    """
    pairs = [each.split(" ") for each in configured]
    return bool(pairs) and {index for index, _ in pairs} == {
        index for index, name in pairs if name in names
    }


def works_on_configurations(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether each turn of the loops around calls what it jits on what it makes of configurations.

    ``for size, dtype in CASES: f = jit(lambda x: ...)``, and ``f(jnp.ones(size, dtype))`` below.
    """
    loops = repeating_loops(it.frame)
    return bool(loops) and all(
        _follows(it, loop, loops[0], worked_on(it, node, loops[0])) for loop in loops
    )


def goes_through_cases(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether a loop goes through what the code lists."""
    return isinstance(loop, (cst.For, cst.CompFor)) and _listing(it, loop.iter) is not None


def parameters_read(
    it: Interpreter, function: Value, node: cst.CSTNode
) -> frozenset[tuple[Code, str]]:
    """The parameters of running functions of which they make what another function works with.

    Args:
      it: the interpreter, at the place that transforms the function.
      function: what is transformed.
      node: what transforms it.

    Returns:
      Of the function that transforms it, and of those around it in which it was made: of what it
      closes over, and what the first of them calls it on.
    """
    code = it.frame.code
    found: set[tuple[Code, str]] = set()
    if code is not None and code.node is not None:
        own = {parameter.name for parameter in code.parameters} - {"self", "cls"}
        given = frozenset(
            name for name in worked_on(it, node, code.node) if not _is_key(it.look_up(name))
        )
        found.update((code, name) for name in origins(it, code.node, own, given, chosen=False))
    base = base_function(function)
    if base is None or not base.closure:
        return frozenset(found)
    read = names_read(it, function)
    for frame in it.active_frames():
        code = frame.code
        if code is None or code.node is None:
            continue
        if frame is it.frame or frame.env in base.closure:
            names = {parameter.name for parameter in code.parameters} - {"self", "cls"}
            found.update((code, name) for name in origins(it, code.node, names, read))
    return frozenset(found)


def _is_key(value: Value) -> bool:
    """Whether a value is a random key: every other one is as large."""
    return isinstance(value, Array) and value.dtype == "key"


def names_read(it: Interpreter, function: Value) -> frozenset[str]:
    """The names around a function that it reads, or that functions it calls beside it read."""
    return frozenset(_read(it, function, CLOSURE_LEVELS, set()))


def _read(it: Interpreter, function: Value, levels: int, seen: set[Code]) -> Iterator[str]:
    base = base_function(function)
    code = None if base is None or not base.closure else it.load(base.code)
    if code is None or code.node is None or code in seen or not levels:
        return
    seen.add(code)
    assert base is not None
    around = [it.contents(env) or {} for env in base.closure]
    early = (each.default for each in code.parameters if each.default is not None)
    for name in {*code.free_names}.difference(code.bound_names).union(*map(values_in, early)):
        value = next((variables[name] for variables in around if name in variables), None)
        if isinstance(value, Function):
            yield from _read(it, value, levels - 1, seen)
        yield name


def _follows(it: Interpreter, loop: cst.CSTNode, around: cst.CSTNode, names: Iterable[str]) -> bool:
    """Whether what has some names is another configuration in each turn of a loop.

    What goes on from turn to turn is a state.
    """
    listing = _listing(it, loop.iter) if isinstance(loop, (cst.For, cst.CompFor)) else None
    if listing is None:
        return False
    targets = it.written(loop_targets, loop)
    return any(
        origins(it, around, targets, frozenset({name}))
        for name in names
        if not goes_on(it, loop, name)
        and (listing is _Listing.SETTINGS or not _may_be_argument(it, name))
    )


def _may_be_argument(it: Interpreter, name: str) -> bool:
    """Whether an argument could stand for what has a name: an array, a number, what it makes."""
    value = it.look_up(name)
    return is_number(value) or isinstance(value, Array) or is_of_numbers(it, name)


_NUMBERS: Final = frozenset({"complex", "float", "int"})


def _listing(it: Interpreter, node: cst.BaseExpression) -> _Listing | None:
    """What is listed in an expression that a loop goes through, None if that is not known."""
    if isinstance(node, (cst.List, cst.Tuple, cst.Set)):
        return _least(_kind_of(it, element.value) for element in node.elements)
    if isinstance(node, cst.Dict):
        return _Listing.SETTINGS if node.elements else None
    if isinstance(node, cst.IfExp):
        return _least(_listing(it, branch) for branch in (node.body, node.orelse))
    if isinstance(node, cst.Call):
        if called_name(node) in _VIEWS and isinstance(node.func, cst.Attribute):
            return _listing(it, node.func.value)
        if called_name(node) in _WRAPPERS and node.args:
            return _least(_listing(it, arg.value) for arg in node.args)
        return None
    return _kind_of_items(it, it.look_up(node.value)) if isinstance(node, cst.Name) else None


#: what goes through a dict, and what through what it is given
_VIEWS: Final = frozenset({"items", "keys", "values"})
_WRAPPERS: Final = frozenset({"enumerate", "list", "product", "reversed", "sorted", "tuple", "zip"})


def _kind_of_items(it: Interpreter, value: Value) -> _Listing | None:
    if isinstance(value, Union):
        return _least(_kind_of_items(it, member) for member in value.members)
    contents = it.contents(value) if isinstance(value, Ref) else value
    if isinstance(contents, DictObject):
        return _Listing.SETTINGS if contents.items and contents.rest is None else None
    items = contents.items if isinstance(contents, (ListObject, Tuple)) else None
    return _least(map(_kind_of_value, items)) if items else None


def _kind_of(it: Interpreter, element: cst.BaseExpression) -> _Listing | None:
    """Which kind of configuration is written in a display."""
    if isinstance(element, (cst.BaseString, cst.Tuple, cst.List, cst.Dict)):
        return _Listing.SETTINGS
    if isinstance(element, (cst.Integer, cst.Float)):
        return _Listing.NUMBERS
    if isinstance(element, cst.Name) and element.value in ("False", "None", "True"):
        return _Listing.SETTINGS
    return _kind_of_value(value_named(it, element))


def _kind_of_value(value: Value | None) -> _Listing | None:
    if type(value) is External:
        return _Listing.NUMBERS if constant(value.name) == "static" else _Listing.SETTINGS
    if isinstance(value, (Const, Static)):
        return _Listing.NUMBERS if type_name(value) in _NUMBERS else _Listing.SETTINGS
    return _Listing.SETTINGS if isinstance(value, (Function, Tuple)) else None


def _least(kinds: Iterable[_Listing | None]) -> _Listing | None:
    """What can be said of several things: no more than of each."""
    every = list(kinds)
    known = [kind for kind in every if kind is not None]
    return min(known) if known and len(known) == len(every) else None
