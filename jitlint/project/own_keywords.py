"""Keywords that a function collects for one function in it, which completes and passes them on.

``def rollout(policy, **options)`` has a dict of its own, which nobody else sees.  Where all that is
done with it is that the body of a ``scan`` sets ``options["state"]`` and calls
``policy(**options)``, nothing stays behind for anybody: each trace sets it again before it reads.
The same holds of ``args = list(values)``, of which one function in it sets ``args[position]`` and
calls ``function(*args)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jitlint.project.units import Unit
from jitlint.project.walks import FunctionNode, dotted, walk


def own_keywords(unit: Unit) -> frozenset[tuple[str, str]]:
    """The functions in a unit that alone use the keywords of one around them, with their names."""
    return frozenset(_found(unit.node))


def _found(root: ast.AST) -> Iterator[tuple[str, str]]:
    for outer in walk(root):
        if not isinstance(outer, FunctionNode):
            continue
        keywords = () if outer.args.kwarg is None else (outer.args.kwarg.arg,)
        copies = _copies(outer)
        for name in (*keywords, *copies):
            mentions = _mentions(outer, name)
            for inner in walk(outer):
                if inner is outer or not isinstance(inner, FunctionNode):
                    continue
                inside = _mentions(inner, name)
                if not inside or not _is_set_first(inner, name, inside):
                    continue
                others = [node for node in mentions if node not in inside]
                if not others or (
                    name in copies
                    and _are_of_setting_up(outer, others, inner.lineno)
                    and len(_slots(inner, name)) == 1
                ):
                    yield inner.name, name


def _copies(outer: ast.AST) -> set[str]:
    """The names that a function binds once, to a list or dict that it makes there."""
    bound: dict[str, list[bool]] = {}
    for node in walk(outer):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            made = isinstance(value, (ast.List, ast.Dict)) or (
                isinstance(value, ast.Call)
                and isinstance(value.func, ast.Name)
                and value.func.id in ("list", "dict")
            )
            bound.setdefault(node.targets[0].id, []).append(made)
    return {name for name, values in bound.items() if values == [True]}


def _are_of_setting_up(outer: ast.AST, mentions: list[ast.Name], row: int) -> bool:
    """Whether a container is only bound, and items of it set or read, before a row.

    What the name stands for before it is bound is something else: ``args = list(args)``.
    """
    held = {node.value for node in walk(outer) if isinstance(node, ast.Subscript)}
    first = min((node.lineno for node in mentions if isinstance(node.ctx, ast.Store)), default=row)
    return all(node.lineno <= first or (node.lineno < row and node in held) for node in mentions)


def _slots(function: ast.AST, name: str) -> set[str]:
    """The items of a container that a function sets, as written."""
    return {
        ast.unparse(node.slice)
        for node in walk(function)
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }


def _mentions(root: ast.AST, name: str) -> list[ast.Name]:
    return [node for node in walk(root) if isinstance(node, ast.Name) and node.id == name]


def _is_set_first(function: ast.AST, name: str, mentions: list[ast.Name]) -> bool:
    """Whether a function begins with setting an item, and else only reads items or passes all."""
    own = {node.arg for node in walk(function) if isinstance(node, ast.arg)} | {
        node.id
        for node in walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    stores: set[ast.expr] = set()
    reads: set[ast.expr] = set()
    counted = {node.target for node in walk(function) if isinstance(node, ast.AugAssign)}
    for node in walk(function):
        if node in counted:
            continue
        if isinstance(node, ast.Subscript) and (
            isinstance(node.slice, ast.Constant)
            or (isinstance(node.slice, ast.Name) and node.slice.id not in own)
        ):
            (stores if isinstance(node.ctx, ast.Store) else reads).add(node.value)
        elif isinstance(node, ast.Call):
            reads.update(keyword.value for keyword in node.keywords if keyword.arg is None)
            library = (dotted(node.func) or "").startswith("jax.")
            reads.update(
                arg.value if isinstance(arg, ast.Starred) else arg
                for arg in node.args
                if isinstance(arg, ast.Starred) or library
            )
    first = min(mentions, key=lambda node: (node.lineno, node.col_offset))
    return first in stores and all(node in stores or node in reads for node in mentions)
