"""Which containers a function changes: those that it is given, and those that these hold.

A container is named as the function names it, from a parameter on: ``cache``, ``self._cache``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from jitlint.project.walks import dotted, positional_names, walk
from jitlint.project.written.pushes import POURS, PUTS

if TYPE_CHECKING:
    from jitlint.project.units import Unit

#: methods of dicts, lists, sets and deques that put something in
_ADDING: Final = frozenset({*PUTS, *POURS})
#: those that take something away, or leave that open
_TAKING: Final = frozenset(
    "clear discard pop popitem popleft remove sort reverse difference_update "
    "intersection_update".split()
)


class HandedOn(Struct, frozen=True):
    """A call in a function.

    Args:
      callee: what is called, as it is written; ``self.`` and a name for a method of a base.
      positional: what it is given by position, as it is written; empty if that is no dotted name.
      keywords: what it is given by name.
    """

    callee: str
    positional: tuple[str, ...]
    keywords: tuple[tuple[str, str], ...]


def changed_entries(unit: Unit) -> dict[str, bool]:
    """What a function sets, deletes or adds entries of, and whether it only adds or sets some."""
    found: dict[str, bool] = {}
    for node in walk(unit.node):
        owner, adds = None, True
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            owner, adds = dotted(node.value), isinstance(node.ctx, ast.Store)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            adds = node.func.attr in _ADDING
            owner = dotted(node.func.value) if adds or node.func.attr in _TAKING else None
        if owner is not None:
            found[owner] = adds and found.get(owner, True)
    return found


def handed_on(unit: Unit) -> tuple[HandedOn, ...]:
    """The calls in a function that are given something by a dotted name, or are of methods."""
    found = []
    for node in walk(unit.node):
        if not isinstance(node, ast.Call):
            continue
        callee = _of_base(unit, node.func) or dotted(node.func)
        if callee is None:
            continue
        positional = tuple(dotted(each) or "" for each in node.args)
        keywords = tuple((each.arg or "", dotted(each.value) or "") for each in node.keywords)
        if "." in callee or any(positional) or any(given for _, given in keywords):
            found.append(HandedOn(callee, positional, keywords))
    return tuple(found)


def _of_base(unit: Unit, function: ast.expr) -> str | None:
    """``super().name`` as a method of the object."""
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Call):
        return None
    names = positional_names(unit.node)
    is_super = dotted(function.value.func) == "super" and names
    return f"{names[0]}.{function.attr}" if is_super else None


def parameter_names(unit: Unit) -> tuple[str, ...]:
    """The parameters of a function that can be given by position, in their order."""
    return tuple(positional_names(unit.node))
