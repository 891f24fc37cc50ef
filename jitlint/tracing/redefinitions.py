"""Methods that a later definition of the same class replaces before anybody can call them."""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from jitlint.jaxmodel.transforms import JAX_TRANSFORMS
from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.project.units import ClassDefinition, Unit

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
#: decorators that keep nothing for anybody else: they give a function in place of another
_GIVING: Final = frozenset(name.rpartition(".")[2] for name in JAX_TRANSFORMS) | {
    "cached_property", "classmethod", "partial", "property", "staticmethod", "wraps"
}  # fmt: skip


def is_replaced(unit: Unit) -> bool:
    """Whether a unit is a method of which its class keeps nothing: a later one has its name."""
    if unit.cls is None or not unit.is_function:
        return False
    alike = unit.cls.methods.get(unit.name, ())
    if len(alike) < 2:
        return False
    number = next((index for index, other in enumerate(alike) if other is unit), None)
    return number is not None and (unit.name, number) in unit.cls.fact(replaced_methods)


def replaced_methods(definition: ClassDefinition) -> frozenset[tuple[str, int]]:
    """The methods that are gone when the class is made: their name, and which one of that name.

    Nothing in between mentions them, nor a decorator of the one that comes later, as that of a
    setter or an overload does; and none of their own may hand them on.
    """
    body = definition.node.body
    places: dict[str, list[int]] = defaultdict(list)
    for index, statement in enumerate(body):
        if isinstance(statement, _FUNCTIONS):
            places[statement.name].append(index)
    return frozenset(
        (name, number)
        for name, found in places.items()
        if len(found) == len(definition.methods.get(name, ()))
        for number, (first, later) in enumerate(pairwise(found))
        if _hands_nothing_on(body[first])
        and not any(_mentions(statement, name) for statement in body[first + 1 : later])
        and not any(_mentions(each, name) for each in _header(body[later]))
    )


def _hands_nothing_on(statement: ast.stmt) -> bool:
    assert isinstance(statement, _FUNCTIONS)
    called = (
        each.func if isinstance(each, ast.Call) else each for each in statement.decorator_list
    )
    return all((dotted(each) or "").rpartition(".")[2] in _GIVING for each in called)


def _header(statement: ast.stmt) -> list[ast.expr]:
    """What runs when a function is defined."""
    assert isinstance(statement, _FUNCTIONS)
    defaults = [each for each in statement.args.kw_defaults if each is not None]
    return [*statement.decorator_list, *statement.args.defaults, *defaults]


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
