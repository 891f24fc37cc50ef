"""Decorators of the project that make classes dataclasses or pytrees, as several libraries do."""

from __future__ import annotations

import ast
from typing import Final

from jitlint.absint.limits import DECORATOR_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import External, Function
from jitlint.project.walks import dotted

#: functions that register a class together with functions that take its objects apart
_REGISTER_NODE: Final = frozenset(
    {"jax.tree_util.register_pytree_node", "jax.tree_util.register_pytree_with_keys"}
)


def applied_by(
    it: Interpreter, decorator: Function, depth: int = DECORATOR_LEVELS
) -> frozenset[str]:
    """The functions of libraries that a decorator calls: ``dataclasses.dataclass`` ...

    Args:
      it: the interpreter.
      decorator: a function of the project.
      depth: levels of functions of the project that it calls in turn.

    Returns:
      Their qualified names.
    """
    unit = decorator.code.unit
    it.reads.read(unit.module)
    names: set[str] = set()
    for name in unit.calls:
        value = dotted_value(it, unit.module, name)
        if isinstance(value, External):
            names.add(value.name)
        elif isinstance(value, Function) and depth and value != decorator:
            names |= applied_by(it, value, depth - 1)
    return frozenset(names)


def options_given(
    it: Interpreter, decorator: Function, depth: int = DECORATOR_LEVELS
) -> dict[str, bool | None]:
    """The options with which a decorator makes dataclasses; None for what is computed."""
    unit = decorator.code.unit
    it.reads.read(unit.module)
    found: dict[str, bool | None] = {}
    for node in ast.walk(unit.node):
        name = dotted(node.func) if isinstance(node, ast.Call) else None
        value = None if name is None else dotted_value(it, unit.module, name)
        if isinstance(value, Function) and depth and value != decorator:
            found |= options_given(it, value, depth - 1)
        elif isinstance(value, External) and value.name == "dataclasses.dataclass":
            assert isinstance(node, ast.Call)
            for keyword in node.keywords:
                given = keyword.value
                known = bool(given.value) if isinstance(given, ast.Constant) else None
                # Without a name it may be any of them.
                found[keyword.arg or ""] = known
    return found


def registers(names: frozenset[str]) -> bool:
    """Whether functions that a decorator calls register a class as a pytree of its fields."""
    return not names.isdisjoint(_REGISTER_NODE) or "jax.tree_util.register_dataclass" in names
