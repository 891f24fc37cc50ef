"""Sizes that the code itself lists, for a loop to go through: each of them once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.detectors.sizes.bindings import written
from jitlint.absint.detectors.sizes.questions import change_of_number, change_of_size
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name, loop_targets
from jitlint.absint.machine.interpreter import Interpreter

#: said of what follows the sizes that a loop goes through
LISTED: Final = "listed"


def listed_names(scope: Scope) -> frozenset[str]:
    """The names that a loop gives another number in each turn: ``for n in (10, 100, 1000)``."""
    loop = scope.repeated
    if not isinstance(loop, (cst.For, cst.CompFor)):
        return frozenset()
    ways = list(_ways(scope, loop.iter))
    target = loop.target
    parts = target.elements if isinstance(target, cst.Tuple) else None
    names = [target] if parts is None else [part.value for part in parts]
    return frozenset(
        name.value
        for index, name in enumerate(names)
        if isinstance(name, cst.Name)
        and ways
        and all(_are_distinct(way, None if parts is None else index) for way in ways)
    )


def _ways(scope: Scope, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a loop may go through, as it is written."""
    if isinstance(node, cst.IfExp):
        yield from _ways(scope, node.body)
        yield from _ways(scope, node.orelse)
    elif isinstance(node, cst.Name) and scope.code is not None and scope.code.node is not None:
        bound = scope.parsed.fact(written, scope.code.node).bindings.get(node.value, ())
        for binding in bound:
            plain = not (binding.is_loop or binding.is_step or binding.index)
            value = binding.value if plain else None
            if isinstance(value, cst.IfExp):
                yield from (value.body, value.orelse)
            else:
                yield node if value is None else value
    else:
        yield node


def _are_distinct(node: cst.BaseExpression, index: int | None) -> bool:
    """Whether a display holds two or more numbers, or rows of them, and no number twice."""
    if not isinstance(node, (cst.List, cst.Tuple)):
        return False
    values = [element.value for element in node.elements]
    if index is not None:
        rows = [value for value in values if isinstance(value, cst.Tuple)]
        if len(rows) < len(values) or any(len(row.elements) <= index for row in rows):
            return False
        values = [row.elements[index].value for row in rows]
    numbers = {value.evaluated_value for value in values if isinstance(value, cst.Integer)}
    return 1 < len(values) == len(numbers)


def listed_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """In which way what a call in a loop passes follows the sizes that the loop goes through.

    Nothing else may repeat the call: a loop around that one may only choose what is called.

    Returns:
      What :attr:`.Scope.asked` has, ``size x`` and ``number x``, after ``LISTED``.
    """
    loops = it.frame.enclosing_loops
    if not isinstance(node, cst.Call) or not loops:
        return frozenset()
    scopes = [Scope.of_frame(it, loop, listed=True) for loop in loops]
    swept = [scope for scope in scopes if listed_names(scope)]
    if len(swept) != 1 or not all(
        scope is swept[0] or _chooses(scope.repeated, node.func) for scope in scopes
    ):
        return frozenset()
    found: set[str] = set()
    for name, value in given_by_name(callee, node):
        if change_of_number(swept[0], value) is not None:
            found.add(f"{LISTED} number {name}")
        if change_of_size(swept[0], value) is not None:
            found.add(f"{LISTED} size {name}")
    return frozenset(found)


def _chooses(loop: cst.CSTNode, called: cst.BaseExpression) -> bool:
    return isinstance(called, cst.Name) and called.value in loop_targets(loop)
