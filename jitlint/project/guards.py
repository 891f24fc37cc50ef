"""Guards: what the code around all calls of a private method has asked of its object.

``if self.backend == "jax": return self._scan(x)`` where nobody else calls ``_scan``: whoever runs
it has that backend.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import ClassDefinition, Unit

#: private methods through which guards are followed: one that a guarded one calls
_LEVELS: Final = 3

#: attributes with what they are known to be
Guards = dict[str, str | int | bool]


def guards_of(cls: ClassDefinition, name: str, modules: Iterable[ModuleIndex]) -> Guards:
    """What holds of the attributes of an object whenever a method of it is called.

    Args:
      cls: its class.
      name: the method.
      modules: those that mention the method.

    Returns:
      Empty if nothing is known: the method is public, or somebody else mentions it.
    """
    if not name.startswith("_") or name.startswith("__"):
        return {}
    for module in modules:
        for unit in module.units_with(name):
            if unit.cls is not cls and name in unit.words_after_dots and not _is_own(unit, name):
                return {}
    return _guards(cls, name, _LEVELS)


def _is_own(unit: Unit, name: str) -> bool:
    """Whether a method of another class speaks of a method of that class."""
    asked = {mention for mention in unit.mentions if name in mention.split(".")[1:]}
    return unit.cls is not None and name in unit.cls.methods and asked <= {f"self.{name}"}


def _guards(cls: ClassDefinition, name: str, levels: int) -> Guards:
    if not levels or not name.startswith("_") or name.startswith("__"):
        return {}
    found: Guards | None = None
    for units in cls.methods.values():
        for unit in units:
            if unit.name == name or name not in unit.words_after_dots:
                continue
            calls = [*_calls(unit.node, name)]
            if not calls or len(calls) != _mentions(unit.node, name):
                # It is handed to somebody, or called on another object.
                return {}
            for tests in calls:
                guards = _known(tests, _choices(unit.node))
                if not guards:
                    guards = _guards(cls, unit.name, levels - 1)
                found = guards if found is None else dict(found.items() & guards.items())
                if not found:
                    return {}
    return found or {}


#: tests with how they came out
_Tests = tuple[tuple[ast.expr, bool], ...]


def _calls(node: ast.AST, name: str, tests: _Tests = ()) -> Iterator[_Tests]:
    """The tests around each call of ``self.name``; what is called later has none."""
    if isinstance(node, ast.Call) and dotted(node.func) == f"self.{name}":
        yield tests
    if isinstance(node, (ast.If, ast.IfExp)):
        yield from _calls(node.test, name, tests)
        for branch, truth in ((node.body, True), (node.orelse, False)):
            for each in branch if isinstance(branch, list) else [branch]:
                yield from _calls(each, name, (*tests, (node.test, truth)))
        return
    inner = () if isinstance(node, (ast.FunctionDef, ast.Lambda)) and tests else tests
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, name, inner)


def _mentions(node: ast.AST, name: str) -> int:
    return sum(isinstance(each, ast.Attribute) and each.attr == name for each in ast.walk(node))


def _choices(node: ast.AST) -> dict[str, ast.expr]:
    """The names that a function binds once, to a condition."""
    bound: dict[str, list[ast.expr | None]] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            bound.setdefault(each.targets[0].id, []).append(each.value)
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            bound.setdefault(each.id, []).append(None)
    return {
        name: values[0]
        for name, values in bound.items()
        # The assignment and its target.
        if len(values) == 2 and isinstance(values[0], (ast.BoolOp, ast.Compare, ast.Attribute))
    }


def _known(tests: _Tests, choices: dict[str, ast.expr]) -> Guards:
    found: Guards = {}
    for test, truth in tests:
        found.update(_told(test, choices, truth=truth))
    return found


def _told(test: ast.expr, choices: dict[str, ast.expr], *, truth: bool) -> Guards:
    """What a test says of attributes of ``self`` if it comes out one way."""
    if isinstance(test, ast.Name) and test.id in choices:
        return _told(choices[test.id], {}, truth=truth)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _told(test.operand, choices, truth=not truth)
    if isinstance(test, ast.BoolOp):
        found: Guards = {}
        if isinstance(test.op, ast.And) is truth:
            for value in test.values:
                found.update(_told(value, choices, truth=truth))
        return found
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        equal = isinstance(test.ops[0], (ast.Eq, ast.Is))
        other = test.comparators[0]
        name = _attribute(test.left)
        differs = isinstance(test.ops[0], (ast.NotEq, ast.IsNot))
        if name is None or not isinstance(other, ast.Constant) or not (equal or differs):
            return {}
        known = other.value
        return {name: known} if equal is truth and isinstance(known, (str, int)) else {}
    return {}


def _attribute(node: ast.expr) -> str | None:
    name = dotted(node) or ""
    return name[5:] if name.startswith("self.") and name.count(".") == 1 else None
