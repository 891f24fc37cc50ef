"""Calls: how the size of what functions and methods give changes."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.detectors.sizes.contents import changes_in_content
from jitlint.absint.detectors.sizes.questions import (
    Change,
    How,
    Index,
    change_of_number,
    change_of_size,
    changed,
    first_of,
    size_of,
)
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.sizes.texts import change_of_joined, change_of_length, change_of_text
from jitlint.absint.detectors.sizes.windows import change_of_range
from jitlint.jaxmodel.sizes import (
    JOINING,
    KEEPING,
    KEEPING_METHODS,
    STACKING,
    is_data_dependent,
    plain_name,
    shaping_parameters,
)


@size_of(cst.Call)
def _of_call(scope: Scope, node: cst.Call, index: Index) -> Change | None:
    name = scope.library(node.func)
    if name:
        return _of_library(scope, node, name, index)
    if isinstance(node.func, cst.Attribute):
        method = node.func.attr.value
        if method in KEEPING_METHODS:
            return change_of_size(scope, node.func.value)
        if method == "reshape" and any(_is_rest(arg.value) for arg in node.args):
            return change_of_size(scope, node.func.value)
    body = scope.called(node)
    if body is None:
        return None
    results = list(body.results())
    if body.code is None or body.code.is_generator or not results:
        return None
    ways = [change_of_size(body, result, index) for result in results]
    return ways[0] if None not in ways else None


def _is_rest(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.UnaryOperation)
        and isinstance(node.operator, cst.Minus)
        and isinstance(node.expression, cst.Integer)
    )


def _of_library(scope: Scope, node: cst.Call, name: str, index: Index) -> Change | None:
    plain = plain_name(name)
    args = [arg for arg in node.args if not arg.star]
    keywords = frozenset(arg.keyword.value for arg in args if arg.keyword is not None)
    given = [arg.value for arg in args if arg.keyword is None]
    if not plain:
        if name in ("builtins.list", "builtins.tuple", "builtins.sorted") and given:
            return change_of_length(scope, given[0])
        if name == "builtins.range":
            return change_of_range(scope, node.args)
        return None
    if plain == "arange":
        return change_of_range(scope, node.args)
    if is_data_dependent(name, len(given), keywords):
        changes = any(changes_in_content(scope, value) for value in given)
        return changed(scope, How.SELECTED, node) if changes else None
    shaping, names = shaping_parameters(name)
    for number, arg in enumerate(args):
        parameter = arg.keyword.value if arg.keyword is not None else "*"
        if arg.keyword is None and number < len(names):
            parameter = names[number]
        if parameter in shaping:
            change = _of_shape(scope, arg.value)
            if change is not None:
                return change
    if plain in JOINING and given:
        display = scope.meant(given[0])
        if plain == "append":
            return change_of_joined(scope, given[:2])
        if isinstance(display, (cst.List, cst.Tuple)):
            return change_of_joined(scope, [element.value for element in display.elements])
    if plain in STACKING | JOINING and given:
        return _of_rows(scope, given[0])
    if plain in KEEPING:
        change = first_of(change_of_size(scope, value) for value in given)
        placed = change is None and plain == "device_put" and scope.listed
        return _of_place(scope, args) if placed else change
    return None


def _of_place(scope: Scope, args: Sequence[cst.Arg]) -> Change | None:
    """What ``device_put(x, device)`` gives, where a loop goes through the devices."""
    named = [arg for n, arg in enumerate(args) if _is_place(n, arg)]
    device = named[0].value if named else None
    if not isinstance(device, cst.Name):
        return None
    path = device.value
    if path in scope.given:
        outer, value = scope.given[path]
        return _of_place(outer, [cst.Arg(value, keyword=cst.Name("device"))])
    if any(each.node is scope.repeated for each in scope.written.bindings.get(path, ())):
        return changed(scope, How.PLACED, device, path)
    if scope.frame is not None and scope.parameter(path):
        scope.asked.add(f"place {path}")
    return None


def _is_place(number: int, arg: cst.Arg) -> bool:
    return number == 1 if arg.keyword is None else arg.keyword.value == "device"


def _of_shape(scope: Scope, node: cst.BaseExpression) -> Change | None:
    """A shape that is passed: a number, or a display of numbers."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return first_of(change_of_number(scope, element.value) for element in node.elements)
    if isinstance(node, cst.Attribute) and node.attr.value == "shape":
        return change_of_size(scope, node.value)
    return change_of_number(scope, node)


def _of_rows(scope: Scope, node: cst.BaseExpression) -> Change | None:
    """What a list is made into an array of: as many rows."""
    text = change_of_text(scope, node)
    return change_of_size(scope, node) if text is None else text
