"""Numbers and lengths that the code tells, reckoned for one turn of a loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.limits import FOLDED
from jitlint.absint.values.domain import Array, Const, Default, Ref, Static, Tuple, Value
from jitlint.absint.values.heap import ListObject
from jitlint.jaxmodel.sizes import (
    KEEPING,
    KEEPING_METHODS,
    STACKING,
    plain_name,
    shaping_parameters,
)

#: what names stand for in the turn that is reckoned
Turn = Mapping[str, int]
_ANY: Final[Turn] = {}


def number_of(scope: Scope, node: cst.BaseExpression, turn: Turn = _ANY) -> int | None:
    """A whole number, None where the code does not tell it."""
    found = _reckoned(scope, node, turn)
    return int(found) if found is not None and found.denominator == 1 else None


def length_of(scope: Scope, node: cst.BaseExpression, turn: Turn = _ANY) -> int | None:
    """How many rows there are, None where the code does not tell it."""
    question = ("length", id(node), id(scope.code))
    if question in scope.active:
        return None
    scope.active.add(question)
    try:
        return _length(scope, node, turn)
    finally:
        scope.active.discard(question)


# -- numbers --------------------------------------------------------------------------------------


def _reckoned(scope: Scope, node: cst.BaseExpression, turn: Turn) -> Fraction | None:
    if isinstance(node, cst.Integer):
        return Fraction(int(node.evaluated_value))
    path = dotted(node)
    if path is not None:
        return _of_path(scope, path, turn)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = _reckoned(scope, node.expression, turn)
        return None if inner is None else -inner
    if isinstance(node, cst.BinaryOperation):
        operation = _OPERATIONS.get(type(node.operator))
        left = None if operation is None else _reckoned(scope, node.left, turn)
        right = None if left is None else _reckoned(scope, node.right, turn)
        if operation is None or left is None or right is None:
            return None
        try:
            return operation(left, right)
        except ZeroDivisionError:
            return None
    if isinstance(node, cst.Call):
        return _of_call(scope, node, turn)
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Attribute):
        first = node.slice[0].slice
        place = number_of(scope, first.value) if isinstance(first, cst.Index) else None
        if node.value.attr.value == "shape" and place == 0:
            return _whole(length_of(scope, node.value.value, turn))
    return None


_OPERATIONS: Final[dict[type[cst.CSTNode], Callable[[Fraction, Fraction], Fraction]]] = {
    cst.Add: lambda left, right: left + right,
    cst.Subtract: lambda left, right: left - right,
    cst.Multiply: lambda left, right: left * right,
    cst.Divide: lambda left, right: left / right,
    cst.FloorDivide: lambda left, right: Fraction(left // right),
    cst.Modulo: lambda left, right: left % right,
}
_CHOICES: Final[dict[str, Callable[[list[Fraction]], Fraction]]] = {"min": min, "max": max}
_ROUNDINGS: Final[dict[str, Callable[[Fraction], int]]] = {"ceil": ceil, "floor": floor, "int": int}


def _whole(number: int | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def _of_path(scope: Scope, path: str, turn: Turn) -> Fraction | None:
    if path in turn:
        return Fraction(turn[path])
    head, dot, _ = path.partition(".")
    given = scope.given.get(head)
    if given is not None:
        if not dot:
            return _reckoned(*given, _ANY)
        lifted = scope.lifted(path)
        return None if lifted is None else _of_path(*lifted, _ANY)
    made = scope.definition(path)
    if made is not None and made.value is not None and not made.is_loop and not made.index:
        question = ("number", id(made.value), id(scope.code))
        if question in scope.active:
            return None
        scope.active.add(question)
        try:
            return _reckoned(scope, made.value, turn)
        finally:
            scope.active.discard(question)
    if path in scope.written.bindings:
        return None
    default = scope.default(path)
    if default is not None:
        return _reckoned(scope, default, _ANY)
    return _whole(_known(scope.value(path)))


def _known(value: Value) -> int | None:
    """A number as the calls that are seen, or else its default, have it."""
    if isinstance(value, Default):
        value = value.value
    if isinstance(value, Const):
        return value.value if type(value.value) is int and abs(value.value) <= FOLDED**2 else None
    if isinstance(value, Static) and value.type == "int" and value.extent is not None:
        return value.extent.size
    return None


def _of_call(scope: Scope, node: cst.Call, turn: Turn) -> Fraction | None:
    func = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    name = func.value if isinstance(func, cst.Name) else ""
    args = [arg.value for arg in node.args if not arg.star and arg.keyword is None]
    if len(args) != len(node.args) or not args:
        return None
    if name == "len":
        return _whole(length_of(scope, args[0], turn))
    if name in _CHOICES or name in _ROUNDINGS:
        parts = [_reckoned(scope, arg, turn) for arg in args]
        known = [part for part in parts if part is not None]
        if len(known) != len(parts):
            return None
        if name in _CHOICES:
            return _CHOICES[name](known)
        return Fraction(_ROUNDINGS[name](known[0]))
    return None


# -- lengths --------------------------------------------------------------------------------------


def _length(scope: Scope, node: cst.BaseExpression, turn: Turn) -> int | None:
    path = dotted(node)
    if path is not None:
        return _length_at(scope, path, node, turn)
    if isinstance(node, cst.Subscript):
        return _length_of_part(scope, node, turn)
    return _length_of_result(scope, node, turn) if isinstance(node, cst.Call) else None


def _length_at(scope: Scope, path: str, node: cst.BaseExpression, turn: Turn) -> int | None:
    head, dot, _ = path.partition(".")
    given = scope.given.get(head)
    if given is not None:
        if not dot:
            outer, passed = given
            return _length_of_object(scope, path, node) or length_of(outer, passed)
        lifted = scope.lifted(path)
        return None if lifted is None else _length_at(*lifted, given[1], _ANY)
    made = scope.definition(path)
    if made is not None and made.value is not None and not made.is_loop and not made.index:
        found = length_of(scope, made.value, turn)
        if found is not None:
            return found
    elif path in scope.written.bindings:
        return None
    return _length_of_object(scope, path, node) or _rows(scope, scope.value(path))


def _length_of_object(scope: Scope, path: str, node: cst.BaseExpression) -> int | None:
    """What ``__len__`` of an object of the project returns."""
    method = scope.method(scope.value(path), "__len__")
    body = None if method is None else scope.inside(method, node, ())
    results = [] if body is None else list(body.results())
    return number_of(body, results[0]) if body is not None and len(results) == 1 else None


def _rows(scope: Scope, value: Value) -> int | None:
    if isinstance(value, Default):
        value = value.value
    if isinstance(value, (Array, Static)):
        extent = value.extent
        return extent.shape[0] if extent is not None and extent.shape else None
    if isinstance(value, Tuple):
        return len(value.items)
    contents = scope.it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, ListObject) and contents.items is not None and not contents.mutable:
        return len(contents.items)
    return None


def _length_of_part(scope: Scope, node: cst.Subscript, turn: Turn) -> int | None:
    """``x[:, 0]`` has the rows of ``x``, ``x[rows]`` those of ``rows``."""
    first = node.slice[0].slice
    if isinstance(first, cst.Slice):
        return cut_length(scope, node.value, first, turn)
    if isinstance(first, cst.Index) and isinstance(first.value, (cst.Name, cst.Attribute)):
        return length_of(scope, first.value, turn)
    return None


def cut_length(scope: Scope, value: cst.BaseExpression, cut: cst.Slice, turn: Turn) -> int | None:
    """How much a slice leaves in one turn."""
    rows = length_of(scope, value)
    bounds = [
        None if bound is None else number_of(scope, bound, turn)
        for bound in (cut.lower, cut.upper, cut.step)
    ]
    told = [bound is not None for bound in (cut.lower, cut.upper, cut.step)]
    if rows is None or [bound is not None for bound in bounds] != told or bounds[2] == 0:
        return None
    return len(range(rows)[slice(*bounds)])


def _length_of_result(scope: Scope, node: cst.Call, turn: Turn) -> int | None:
    name = scope.library(node.func)
    plain = plain_name(name)
    first = node.args[0].value if node.args and not node.args[0].star else None
    if plain:
        if plain == "permutation":
            value = first if name.startswith("numpy") else node.args[-1].value
            return _permuted(scope, value, turn)
        if plain in KEEPING | STACKING and first is not None:
            return length_of(scope, first, turn)
        return _made_length(scope, node, name, turn)
    if isinstance(node.func, cst.Attribute):
        method = node.func.attr.value
        if method == "permutation":
            return _permuted(scope, first, turn)
        if method in KEEPING_METHODS:
            return length_of(scope, node.func.value, turn)
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == "size":
                return _leading(scope, arg.value, turn)
    return None


def _permuted(scope: Scope, node: cst.BaseExpression | None, turn: Turn) -> int | None:
    """``permutation(n)`` and ``permutation(x)``."""
    if node is None:
        return None
    number = number_of(scope, node, turn)
    return length_of(scope, node, turn) if number is None else number


def _made_length(scope: Scope, node: cst.Call, name: str, turn: Turn) -> int | None:
    shaping, names = shaping_parameters(name)
    given: dict[str, cst.BaseExpression] = {}
    for number, arg in enumerate(node.args):
        if arg.star:
            return None
        if arg.keyword is not None:
            given[arg.keyword.value] = arg.value
        else:
            given[names[number] if number < len(names) else "*"] = arg.value
    made = [parameter for parameter in given if parameter in shaping]
    if plain_name(name) == "arange":
        return number_of(scope, given["start"], turn) if made == ["start"] else None
    return _leading(scope, given[made[0]], turn) if len(made) == 1 else None


def _leading(scope: Scope, node: cst.BaseExpression, turn: Turn) -> int | None:
    """The first number of a shape."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return number_of(scope, node.elements[0].value, turn) if node.elements else None
    return number_of(scope, node, turn)
