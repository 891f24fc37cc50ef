"""Sizes that the code itself lists, for a loop to go through: each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.detectors.sizes.bindings import Binding, written
from jitlint.absint.detectors.sizes.questions import change_of_number, change_of_size
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name, loop_targets
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Const, Ref, Tuple
from jitlint.absint.values.heap import ListObject

#: said of what follows the sizes that a loop goes through
LISTED: Final = "listed"
_AND: Final = ", "
#: the most ways that are told in which a call follows the loops around it
_WAYS: Final = 100


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
        and all(_are_distinct(scope, way, None if parts is None else index) for way in ways)
    )


def _ways(scope: Scope, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a loop may go through, as it is written."""
    if isinstance(node, cst.IfExp):
        yield from _ways(scope, node.body)
        yield from _ways(scope, node.orelse)
    elif isinstance(node, cst.Name) and (bound := _bound(scope, node.value)):
        for binding in bound:
            plain = not (binding.is_loop or binding.is_step or binding.index)
            value = binding.value if plain else None
            if isinstance(value, cst.IfExp):
                yield from (value.body, value.orelse)
            else:
                yield node if value is None else value
    else:
        yield node


def _bound(scope: Scope, name: str) -> Sequence[Binding]:
    """Where the function around binds a name."""
    node = None if scope.code is None else scope.code.node
    return () if node is None else scope.parsed.fact(written, node).bindings.get(name, ())


def _are_distinct(scope: Scope, node: cst.BaseExpression, index: int | None) -> bool:
    """Whether a display holds two or more numbers, or rows of them, and no number twice."""
    if isinstance(node, cst.Name):
        return _names_distinct(scope, node.value, index)
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


def _names_distinct(scope: Scope, name: str, index: int | None) -> bool:
    """Whether what a name of the module stands for holds two or more numbers, and none twice."""
    value = scope.value(name)
    contents = scope.it.contents(value) if isinstance(value, Ref) else value
    items = contents.items if isinstance(contents, (ListObject, Tuple)) else None
    if index is not None:
        rows = [row.items for row in items or () if isinstance(row, Tuple)]
        long = len(rows) == len(items or ()) and all(len(row) > index for row in rows)
        items = tuple(row[index] for row in rows) if long else None
    numbers = {item.value for item in items or () if isinstance(item, Const)}
    return 1 < len(items or ()) == len(numbers) and all(type(each) is int for each in numbers)


def listed_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """In which way what a call in a loop passes follows the sizes that the loop goes through.

    Nothing else may repeat the call: a loop around that one goes through other sizes, or devices,
    or chooses what is called.

    Returns:
      What :attr:`.Scope.asked` has, ``size x``, ``number x`` and ``place x``, after ``LISTED``, for
      each of the loops: all of that has to be asked.
    """
    loops = it.frame.enclosing_loops
    if not isinstance(node, cst.Call) or not loops:
        return frozenset()
    given = list(given_by_name(callee, node))
    found = [
        _followed(Scope.of_frame(it, loop, listed=True), given)
        for loop in loops
        if not _chooses(loop, node.func)
    ]
    return frozenset(map(_AND.join, ways_through(found)))


def ways_through(found: Sequence[Sequence[str]]) -> Iterable[tuple[str, ...]]:
    """One of what was found for each of some loops, in each way; none if there are too many."""
    return product(*found) if found and prod(map(len, found)) <= _WAYS else ()


def _followed(scope: Scope, given: Iterable[tuple[str, cst.BaseExpression]]) -> list[str]:
    """What of a call follows what a loop goes through."""
    found = []
    names, targets = listed_names(scope), loop_targets(scope.repeated)
    for name, value in given:
        if names and change_of_number(scope, value) is not None:
            found.append(f"{LISTED} number {name}")
        if names and change_of_size(scope, value) is not None:
            found.append(f"{LISTED} size {name}")
        if isinstance(value, cst.Name) and value.value in targets:
            found.append(f"{LISTED} place {name}")
    return found


def follows_lists(asked: frozenset[str], sizes: frozenset[str]) -> bool:
    """Whether what is compiled is another program in each turn of all loops around a call.

    Args:
      asked: by what its sizes and places are made, after ``LISTED``.
      sizes: what the call passes, as :func:`listed_parameters` has it.
    """
    listed = (said.split(_AND) for said in sizes if said.startswith(LISTED))
    return any(asked.issuperset(each) for each in listed)


def _chooses(loop: cst.CSTNode, called: cst.BaseExpression) -> bool:
    return isinstance(called, cst.Name) and called.value in loop_targets(loop)
