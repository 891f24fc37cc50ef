"""Decorators of the project that make classes dataclasses or pytrees, as several libraries do."""

from __future__ import annotations

from typing import Final

from jitlint.absint.code.declarations import calls_in, is_constant
from jitlint.absint.limits import DECORATOR_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import External, Function

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
    for name in unit.outer_calls:
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
    for call in it.written(calls_in, unit):
        value = dotted_value(it, unit.module, call.name) if call.name else None
        if isinstance(value, Function) and depth and value != decorator:
            found |= options_given(it, value, depth - 1)
        elif isinstance(value, External) and value.name == "dataclasses.dataclass":
            # Without a name, as that of `**options` is, it may be any of them.
            found |= {
                name: bool(given) if is_constant(given) else None
                for name, given in call.keywords.items()
            }
    return found


def registers(names: frozenset[str]) -> bool:
    """Whether functions that a decorator calls register a class as a pytree of its fields."""
    return not names.isdisjoint(_REGISTER_NODE) or "jax.tree_util.register_dataclass" in names
