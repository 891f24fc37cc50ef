"""Modules that take over the names of a library as they run: ``vars().update(jnp.__dict__)``.

A wrapper around ``jax.numpy`` seldom lists what it hands on.  Which of the names it changes on the
way is not told: one that it binds itself is its own, and any other is taken for the library's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jitlint.project.walks import dotted, walk

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

#: calls that give a module its own names to write, and those that give the names of another
_OWN: Final = frozenset({"vars", "globals", "locals"})
_OTHER: Final = frozenset({"vars", "dir"})
_MENTIONED: Final = re.compile(r"\b(?:vars|globals|locals)\(\)")


def namespaces_taken_over(module: ModuleIndex) -> tuple[str, ...]:
    """The names, as a module writes them, of what it fills its own namespace from."""
    found: dict[str, None] = {}
    for unit in module.units:
        if unit.is_function or unit.cls is not None or not _MENTIONED.search(unit.text):
            continue
        nodes = list(walk(unit.node))
        if any(map(_is_own, nodes)):
            found.update(dict.fromkeys(name for node in nodes for name in _taken_from(node)))
    return tuple(found)


def _is_own(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return isinstance(node.func, ast.Name) and node.func.id in _OWN


def _taken_from(node: ast.AST) -> Iterator[str]:
    """What a node reads the whole namespace of."""
    owner: ast.expr | None = None
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        owner = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        owner = node.args[0] if node.func.id in _OTHER else None
    name = None if owner is None else dotted(owner)
    if name is not None:
        yield name
