"""Walks over trees of ``ast``, faster than those of the standard library."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
#: fields that hold no nodes, and those of nodes that no walk here asks for
_NOT_WALKED = frozenset(
    {"ctx", "op", "ops", "names", "type_comment", "type_ignores", "simple", "id", "attr", "kind",
     "name", "asname", "arg", "module", "level", "is_async", "conversion", "rest", "kwd_attrs"}
)  # fmt: skip
#: fields that are lists with gaps: keys of `**each`, missing defaults
_WITH_GAPS = frozenset({"keys", "kw_defaults"})
#: the fields to walk, by class of node
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: (), ast.MatchSingleton: ()}
_OWN_SCOPES = frozenset({ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp})
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def push_children(node: ast.AST, stack: list[ast.AST]) -> None:
    """Add the children of a node to a stack: ``ast.iter_child_nodes`` at a third of the cost.

    Operators, contexts and the names of imports are left out.
    """
    kind = type(node)
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _NOT_WALKED)
    for name in fields:
        value = getattr(node, name)
        if type(value) is list:
            if name in _WITH_GAPS:
                stack.extend([item for item in value if item is not None])
            else:
                stack.extend(value)
        elif value is not None:
            stack.append(value)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node of a tree in no particular order: a faster ``ast.walk``."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        yield current
        push_children(current, stack)


def dotted(node: ast.expr) -> str | None:
    """``a.b.c`` of a chain of attributes of a name, None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def mentions(node: ast.AST) -> Iterator[str]:
    """Every maximal dotted name in a tree."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind is ast.Name:
            yield current.id  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            name = dotted(current)  # type: ignore[arg-type]
            if name is not None:
                yield name
            else:
                stack.append(current.value)  # type: ignore[attr-defined]
        elif kind is not ast.Constant:
            push_children(current, stack)


def bound_names(node: ast.stmt) -> set[str]:
    """Names that a statement of a module or class body binds, without nested functions."""
    names: set[str] = set()
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind is ast.Name:
            if type(current.ctx) is ast.Store:  # type: ignore[attr-defined]
                names.add(current.id)  # type: ignore[attr-defined]
        elif kind is ast.Constant:
            continue
        elif isinstance(current, DEFINITIONS):
            names.add(current.name)
        elif isinstance(current, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in current.names)
        elif kind not in _OWN_SCOPES:
            push_children(current, stack)
    return names


def positional_names(node: ast.stmt) -> list[str]:
    """The parameters of a function that can be given without their names, in their order."""
    args = node.args if isinstance(node, FunctionNode) else None
    return [] if args is None else [arg.arg for arg in (*args.posonlyargs, *args.args)]


def self_assignments(function: ast.stmt) -> Iterator[str]:
    """The attributes of its first parameter that a function binds or deletes."""
    assert isinstance(function, FunctionNode)
    parameters = function.args.posonlyargs + function.args.args
    if not parameters:
        return
    receiver = parameters[0].arg
    for node in _targets(function):
        if (
            type(node) is ast.Attribute
            and type(node.ctx) is not ast.Load
            and isinstance(node.value, ast.Name)
            and node.value.id == receiver
        ):
            yield node.attr


def _targets(function: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of what the statements of a function bind or delete.

    Of its expressions only a comprehension could set an attribute, and none does.
    """
    stack: list[ast.AST] = [function]
    while stack:
        current = stack.pop()
        for name in _INNER_STATEMENTS:
            stack.extend(getattr(current, name, ()))
        for name in ("target", "optional_vars"):
            target = getattr(current, name, None)
            if target is not None:
                yield from walk(target)
        for target in getattr(current, "targets", ()):
            yield from walk(target)


#: what holds statements, or stands between them and their targets
_INNER_STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases", "items")


def blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for handler in getattr(node, "handlers", ()):
        yield handler.body


def asked_of_self(mentions: Iterable[str]) -> dict[str, set[str]]:
    """What dotted names ask of attributes of ``self``: ``self.net.apply`` asks net for apply."""
    asked: dict[str, set[str]] = {}
    for mention in mentions:
        parts = mention.split(".", 3)
        if parts[0] == "self" and len(parts) > 2:
            asked.setdefault(parts[1], set()).add(parts[2])
    return asked


def names_bound(tree: ast.AST) -> frozenset[str]:
    """The names that a statement binds below itself: parameters, variables, functions, imports."""
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (FunctionNode, ast.ClassDef)) and node is not tree:
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update((each.asname or each.name).partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return frozenset(found)
