"""Which containers a function makes and returns, as far as its tree tells."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from jitlint.project.walks import DEFINITIONS, push_children

#: ``dict``, ``list``, one for each element of a tuple, or None for what is not known
Returned = str | tuple["Returned", ...] | None

_DISPLAYS: Final[dict[type[ast.expr], str]] = {
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.List: "list",
    ast.ListComp: "list",
}


#: what binds a name other than by storing it
_NAMING: Final = (
    ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping, *DEFINITIONS,
)  # fmt: skip


def _named(node: ast.AST) -> str:
    """The name that such a node binds, empty if it binds none."""
    name: str | None = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name")
    return name or ""


def returned_by(node: ast.stmt) -> Returned:
    """What a function returns on every path: a dict or a list of its own, or a tuple with some.

    Of a name that is all that the function ever binds to it; what its entries are is not said.
    """
    if not isinstance(node, ast.FunctionDef) or not isinstance(node.body[-1], ast.Return):
        return None
    if any(isinstance(inner, (ast.Global, ast.Nonlocal)) for inner in ast.walk(node)):
        return None
    out: list[ast.expr | None] = []
    bound: dict[str, set[str | None]] = {}
    stored: Counter[str] = Counter()
    for inner in _own_nodes(node):
        if isinstance(inner, (ast.Yield, ast.YieldFrom)):
            return None
        if isinstance(inner, ast.Return):
            out.append(inner.value)
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            stored[inner.id] += 1
        elif isinstance(inner, (ast.Import, ast.ImportFrom)):
            stored.update(it.asname or it.name.partition(".")[0] for it in inner.names)
        elif isinstance(inner, _NAMING):
            stored[_named(inner)] += 1
        elif isinstance(inner, (ast.Assign, ast.AnnAssign)) and inner.value is not None:
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            kind = _display(inner.value)
            for target in targets:
                if isinstance(target, ast.Name):
                    stored[target.id] -= 1
                    bound.setdefault(target.id, set()).add(kind)
    arguments = node.args
    extra = (argument for argument in (arguments.vararg, arguments.kwarg) if argument)
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra):
        stored[argument.arg] += 1
    names = {
        name: kinds.pop() for name, kinds in bound.items() if len(kinds) == 1 and not stored[name]
    }
    return _common([_kind(value, names) for value in out])


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions and classes nested in it."""
    stack: list[ast.AST] = [*function.body]
    while stack:
        current = stack.pop()
        yield current
        if not isinstance(current, (*DEFINITIONS, ast.Lambda)):
            push_children(current, stack)


def _display(value: ast.expr) -> str | None:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id if value.func.id in ("dict", "list") else None
    return _DISPLAYS.get(type(value))


def _kind(value: ast.expr | None, names: dict[str, str | None]) -> Returned:
    if isinstance(value, ast.Name):
        return names.get(value.id)
    if isinstance(value, ast.Tuple):
        starred = any(isinstance(part, ast.Starred) for part in value.elts)
        return None if starred else tuple(_kind(part, names) for part in value.elts)
    return None if value is None else _display(value)


def _common(kinds: Iterable[Returned]) -> Returned:
    """What all have in common."""
    found: list[Returned] = [*dict.fromkeys(kinds)]
    if len(found) == 1:
        return found[0]
    tuples = [kind for kind in found if isinstance(kind, tuple)]
    if not tuples or len(tuples) < len(found) or len({len(kind) for kind in tuples}) > 1:
        return None
    return tuple(_common(parts) for parts in zip(*tuples, strict=True))
