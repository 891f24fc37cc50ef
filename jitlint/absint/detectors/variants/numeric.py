"""What numbers alone tell from its like: arguments could stand for them, and one program would do.

Functions that were made of numbers, ``make_barrier(alpha)``, what libraries make of numbers that
they take as arrays as well, ``optax.chain(optax.clip(1.0), optax.adam(rate))``, and pytrees of
arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted, walk_own
from jitlint.absint.detectors.surroundings.written import bindings, nodes_around, values_in
from jitlint.absint.detectors.variants.fixed_arguments import array_arguments, value_named
from jitlint.absint.limits import ARGUMENT_LEVELS, CLOSURE_LEVELS
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    Array,
    Const,
    External,
    ExternalInstance,
    Function,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.absint.values.statics import is_int_or_float
from jitlint.jaxmodel import frameworks

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def is_data(it: Interpreter, value: Value, levels: int = ARGUMENT_LEVELS) -> bool:
    """Whether a value is data that decides nothing: arrays, floats, and what holds such alone."""
    if isinstance(value, (Array, Tree)):
        return True
    if isinstance(value, (Const, Static)):
        return type_name(value) in ("float", "ndarray")
    contents = it.contents(value) if isinstance(value, Ref) and levels else None
    if isinstance(contents, ListObject):
        held: Iterable[Value] = (contents.element,) if contents.items is None else contents.items
    elif isinstance(contents, DictObject):
        held = [*contents.items.values(), *([] if contents.rest is None else [contents.rest])]
    elif isinstance(value, (Tuple, Union)):
        held = value.items if isinstance(value, Tuple) else value.members
    else:
        return _is_of_arrays(it, value, levels)
    return all(is_data(it, each, levels - 1) for each in held)


def holds_data_alone(it: Interpreter, value: Value) -> bool:
    """Whether only data tells an object from others of its class: arguments could be all of it.

    What it holds besides is a function of a module.
    """
    contents = it.contents(value) if isinstance(value, Ref) else None
    return isinstance(contents, Instance) and all(
        is_data(it, held)
        or isinstance(held, External)
        or (isinstance(held, Function) and not held.closure)
        for held in contents.attributes.values()
    )


def computes_with_numbers(it: Interpreter, function: Value) -> bool:
    """Whether a function was made of numbers and arrays alone, for which arguments could stand.

    Of functions, too, that are the same each time, or were made of nothing else themselves.
    """
    return bool(_numbers_of(it, function, CLOSURE_LEVELS))


def _numbers_of(it: Interpreter, function: Value, levels: int) -> frozenset[str] | None:
    """The numbers and arrays that a function was made of, None if it was made of more."""
    if not isinstance(function, Function) or not levels:
        return None
    if not function.closure:
        return frozenset()
    code = it.load(function.code)
    if code is None or code.node is None:
        return None
    found: set[str] = set()
    numbers: set[str] = set()
    for name in code.free_names:
        frames = (it.contents(env) for env in function.closure)
        value = next((frame[name] for frame in frames if frame and name in frame), None)
        if value is None or value == function:
            continue
        if isinstance(value, Function):
            inner = _numbers_of(it, value, levels - 1)
            if inner is None:
                return None
            found |= inner
        elif isinstance(value, Array) or is_int_or_float(value):
            found.add(name)
            if not isinstance(value, Array):
                numbers.add(name)
        else:
            return None
    return frozenset(found) if is_only_computed_with(it, code.node, numbers, code) else None


def is_only_computed_with(
    it: Interpreter, function: cst.CSTNode, names: Set[str], home: Code | None = None
) -> bool:
    """Whether a function does no more with some numbers than arithmetic with what is none of them.

    Or gives them to functions of libraries that take arrays there: ``jnp.clip(x, -limit, limit)``.
    Then arrays may stand for them: they are no lengths, no indices and no options.

    Args:
      it: the interpreter.
      function: the code of the function.
      names: of the numbers.
      home: the function, where it is not what stands in the one that runs.
    """
    if not names:
        return True
    sums: set[int] = set()
    for node in walk_own(function):
        if isinstance(node, cst.BinaryOperation) and not _named(node) <= names:
            sums.update(id(part) for side in (node.left, node.right) for part in _terms(side))
        elif isinstance(node, cst.Call) and not names.isdisjoint(_named(node)):
            taken = array_arguments(it, node, home)
            sums.update(id(part) for value in taken for part in _terms(value))
    return all(
        id(node) in sums
        for node in walk_own(function)
        if isinstance(node, cst.Name) and node.value in names
    )


def _terms(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The terms and factors of an expression."""
    if isinstance(value, cst.UnaryOperation):
        yield from _terms(value.expression)
    elif isinstance(value, cst.BinaryOperation):
        for side in (value.left, value.right):
            yield from _terms(side)
    else:
        yield value


def _named(node: cst.CSTNode) -> set[str]:
    return {inner.value for inner in walk_own(node) if isinstance(inner, cst.Name)}


def is_of_numbers(it: Interpreter, name: str) -> bool:
    """Whether only numbers tell what has a name at the current point from its like."""
    value = it.look_up(name)
    if isinstance(value, Ref):
        return _is_of_arrays(it, value, ARGUMENT_LEVELS)
    if not isinstance(value, ExternalInstance):
        return computes_with_numbers(it, value)
    return _is_named_of_numbers(it, name, CLOSURE_LEVELS)


def _is_named_of_numbers(it: Interpreter, name: str, levels: int) -> bool:
    made = _made(it, name)
    return bool(made) and all(_is_made_of_numbers(it, each, levels) for each in made)


def _is_of_arrays(it: Interpreter, value: Value, levels: int) -> bool:
    """Whether an object is a pytree of arrays and numbers alone, which may be passed as it is."""
    contents = it.contents(value) if isinstance(value, Ref) and levels else None
    if not isinstance(contents, Instance):
        return isinstance(value, Array) or is_int_or_float(value)
    info = class_info(it, contents.cls)
    if info.pytree != "leaves" or not info.complete or info.static:
        return False
    return all(_is_of_arrays(it, held, levels - 1) for held in contents.attributes.values())


def _made(it: Interpreter, name: str) -> list[cst.CSTNode | None]:
    """What the function that is running gives a name."""
    return [
        value
        for node in nodes_around(it.frame)
        if isinstance(node, (cst.Assign, cst.AnnAssign))
        for target, value in bindings(node)
        if isinstance(target, cst.Name) and target.value == name
    ]


def _is_made_of_numbers(it: Interpreter, node: cst.CSTNode | None, levels: int) -> bool:
    """Whether a call gives a library but numbers that may be arrays, and what is constant."""
    if not isinstance(node, cst.Call) or not levels:
        return False
    callee = value_named(it, node.func)
    fact = frameworks.lookup(callee.name) if isinstance(callee, External) else None
    if fact is None or fact.parameters is None:
        return False
    names = [parameter.name for parameter in fact.parameters]
    for index, arg in enumerate(node.args):
        parameter = names[index] if index < len(names) else None
        parameter = parameter if arg.keyword is None else arg.keyword.value
        if not any(values_in(arg.value)):
            continue
        if arg.star:
            return False
        if isinstance(arg.value, cst.Call):
            if not _is_made_of_numbers(it, arg.value, levels - 1):
                return False
        elif isinstance(arg.value, cst.Name) and _is_instance(it, arg.value.value):
            if not _is_named_of_numbers(it, arg.value.value, levels - 1):
                return False
        elif parameter not in fact.traced_ok or not _may_be_traced(it, arg.value):
            return False
    return True


def _is_instance(it: Interpreter, name: str) -> bool:
    return isinstance(it.look_up(name), ExternalInstance)


def _may_be_traced(it: Interpreter, node: cst.BaseExpression) -> bool:
    if dotted(node) is None:
        return False
    with it.speculating():
        value = it.ev(node)
    return isinstance(value, Array) or is_int_or_float(value)
