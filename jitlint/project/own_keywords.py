"""Keywords that a function collects for one function in it, which completes and passes them on.

``def rollout(policy, **options)`` has a dict of its own, which nobody else sees.  Where all that is
done with it is that the body of a ``scan`` sets ``options["state"]`` and calls
``policy(**options)``, nothing stays behind for anybody: each trace sets it again before it reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jitlint.project.units import Unit
from jitlint.project.walks import FunctionNode, walk


def own_keywords(unit: Unit) -> frozenset[tuple[str, str]]:
    """The functions in a unit that alone use the keywords of one around them, with their names."""
    return frozenset(_found(unit.node))


def _found(root: ast.AST) -> Iterator[tuple[str, str]]:
    for outer in walk(root):
        if not isinstance(outer, FunctionNode) or outer.args.kwarg is None:
            continue
        name = outer.args.kwarg.arg
        mentions = _mentions(outer, name)
        for inner in walk(outer):
            if inner is outer or not isinstance(inner, FunctionNode):
                continue
            inside = _mentions(inner, name)
            if inside and len(inside) == len(mentions) and _is_set_first(inner, name, inside):
                yield inner.name, name


def _mentions(root: ast.AST, name: str) -> list[ast.Name]:
    return [node for node in walk(root) if isinstance(node, ast.Name) and node.id == name]


def _is_set_first(function: ast.AST, name: str, mentions: list[ast.Name]) -> bool:
    """Whether a function begins with setting an item, and else only reads items or passes all."""
    stores: set[ast.expr] = set()
    reads: set[ast.expr] = set()
    counted = {node.target for node in walk(function) if isinstance(node, ast.AugAssign)}
    for node in walk(function):
        if node in counted:
            continue
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            (stores if isinstance(node.ctx, ast.Store) else reads).add(node.value)
        elif isinstance(node, ast.Call):
            reads.update(keyword.value for keyword in node.keywords if keyword.arg is None)
    first = min(mentions, key=lambda node: (node.lineno, node.col_offset))
    return first in stores and all(node in stores or node in reads for node in mentions)
