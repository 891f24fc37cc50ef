"""What a call may leave out, as the head of a function says it without being interpreted."""

from __future__ import annotations

import ast
from typing import NamedTuple

from jitlint.project.units import Unit


class WrittenDefault(NamedTuple):
    """The default of a parameter.

    Args:
      name: the parameter.
      position: the number of positional arguments that leave it out; None where none gives it.
      setting: the default, if it is a flag, a text or None, as ``repr`` has it.
      named: whether it is something under a name, which may be a function.
    """

    name: str
    position: int | None
    setting: str | None
    named: bool


def written_defaults(unit: Unit) -> tuple[WrittenDefault, ...]:
    """The parameters of a function that a call may leave out."""
    node = unit.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ()
    plain = [*node.args.posonlyargs, *node.args.args]
    first = len(plain) - len(node.args.defaults)
    found = [
        _default(parameter.arg, position, default)
        for position, (parameter, default) in enumerate(
            zip(plain[first:], node.args.defaults, strict=True), first
        )
    ]
    only_named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    found += [_default(each.arg, None, default) for each, default in only_named if default]
    return tuple(found)


def _default(name: str, position: int | None, default: ast.expr) -> WrittenDefault:
    value = default.value if isinstance(default, ast.Constant) else ...
    setting = repr(value) if value is None or type(value) in (bool, str) else None
    return WrittenDefault(name, position, setting, isinstance(default, (ast.Attribute, ast.Name)))
