"""Which nodes of a module's tree reports stand on, and what is to be made of them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: rules whose report stands on an argument, while the call around it is what fails
_ARGUMENT_RULES = frozenset({"JIT304", "JIT305", "JIT308"})
#: the rule whose report stands on a ``try``
_SWALLOWED = "JIT113"
_JIT_RULES = frozenset({"JIT301", "JIT302", "JIT303", "JIT309"})
#: rules whose report stands on or in a call, at which something is compiled or cleared
_CALL_RULES = frozenset({"JIT306", "JIT307", "JIT312", "JIT313"})
#: the rule whose report stands on an argument, or on the call on an object that is one
_VARYING = "JIT306"
#: rules whose report stands on what a trace reads, and can be read once more
READ_RULES = frozenset({"JIT208", "JIT311"})
#: the rule whose report stands on an iterator that is advanced, or on the loop over it
_ADVANCED = "JIT210"
#: the rule whose report stands on a loop, or on what a comprehension goes through
_UNROLLED = "JIT404"
#: the rule whose report stands on a change of a container
CHANGED = "JIT214"
#: rules of what a trace stores into something that is there before and after it
STORING = frozenset({"JIT202", "JIT203", "JIT204", "JIT211"})
_LOAD = ast.Load()

Span = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Site:
    """A reported place: the report's number, its rule, and its span in rows and code points."""

    report: int
    code: str
    span: Span


def node_span(node: ast.AST, lines: Sequence[str]) -> Span | None:
    """Where a node stands, as reports count: rows and code points from 1, the end exclusive."""
    if not isinstance(node, ast.expr | ast.stmt | ast.keyword):
        return None
    if node.end_lineno is None or node.end_col_offset is None:
        return None
    return (
        node.lineno,
        code_points(lines, node.lineno, node.col_offset),
        node.end_lineno,
        code_points(lines, node.end_lineno, node.end_col_offset),
    )


def code_points(lines: Sequence[str], row: int, offset: int) -> int:
    """The column, from 1, of a byte offset in a row."""
    line = lines[row - 1] if 0 < row <= len(lines) else ""
    if line.isascii():
        return offset + 1
    return len(line.encode()[:offset].decode(errors="replace")) + 1


def assign_sites(
    tree: ast.AST, lines: Sequence[str], sites: Sequence[Site]
) -> dict[int, list[tuple[Site, str]]]:
    """For each node, by identity, the reports that it serves and what to make of it."""
    parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    spans: dict[Span, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            span = node_span(node, lines)
            if span is not None:
                spans.setdefault(span, node)
    found: dict[int, list[tuple[Site, str]]] = {}
    guarded = {n.lineno: n for n in ast.walk(tree) if isinstance(n, ast.Try | ast.TryStar)}
    loops = {
        node_span(n, lines): n.iter for n in ast.walk(tree) if isinstance(n, ast.For | ast.AsyncFor)
    }
    begins = {span[:2]: iterable for span, iterable in loops.items() if span is not None}
    gone_through = {id(n.iter) for n in ast.walk(tree) if isinstance(n, ast.comprehension)}
    for site in sites:
        if site.code == _ADVANCED and site.span[:2] in begins:
            found.setdefault(id(begins[site.span[:2]]), []).append((site, "value"))
            continue
        if site.code == _SWALLOWED and site.span[0] in guarded:
            found.setdefault(id(guarded[site.span[0]]), []).append((site, "caught"))
            continue
        place = _node_at(spans, site.span)
        if place is None:
            continue
        target, kind = _treatment(site, place, parents)
        if site.code == _UNROLLED and id(place) in gone_through:
            kind = "turns"
        if kind:
            found.setdefault(id(target), []).append((site, kind))
        around = _call_around(place, parents) if site.code == _VARYING else None
        if around is not None and target is place:
            # What is made for a static parameter, or a call on an object that is one itself.
            found.setdefault(id(around), []).append((site, "call"))
    return found


def _call_around(node: ast.AST, parents: Mapping[int, ast.AST]) -> ast.Call | None:
    """The call that is given an expression."""
    holder = parents[id(node)]
    if isinstance(holder, ast.keyword | ast.Starred):
        holder = parents[id(holder)]
    return holder if isinstance(holder, ast.Call) and node is not holder.func else None


def _node_at(spans: Mapping[Span, ast.expr], span: Span) -> ast.expr | None:
    if span in spans:
        return spans[span]
    start, end = span[:2], span[2:]
    # A report may include parentheses, which the tree leaves out.
    inner = [(s, n) for s, n in spans.items() if s[:2] >= start and s[2:] <= end]
    if inner:
        return min(inner, key=lambda item: (item[0][0], item[0][1], -item[0][2], -item[0][3]))[1]
    return None


def _treatment(site: Site, node: ast.expr, parents: dict[int, ast.AST]) -> tuple[ast.AST, str]:
    holder: ast.AST = node
    decorated = _decorated(node, parents)
    if decorated is not None and site.code in _JIT_RULES | _ARGUMENT_RULES:
        return decorated, "decorator"
    if site.code in _ARGUMENT_RULES or (
        site.code in _CALL_RULES and not isinstance(node, ast.Call)
    ):
        while not isinstance(holder, ast.stmt):
            holder = parents[id(holder)]
            if isinstance(holder, ast.Call):
                return holder, "call"
        return node, ""
    if site.code in _JIT_RULES:
        return node, "jit"
    context = getattr(node, "ctx", None)
    if site.code in READ_RULES and reading(node) is not None:
        return node, "value"
    if isinstance(context, ast.Store | ast.Del):
        while not isinstance(holder, ast.stmt):
            holder = parents[id(holder)]
        return holder, "store"
    if isinstance(node, ast.Call):
        plain = not (isinstance(node.func, ast.Name) and node.func.id in ("super", "locals"))
        return node, "call" if plain else ""
    if isinstance(node, ast.Subscript):
        return node, "item"
    if isinstance(node, ast.Starred | ast.Slice | ast.FormattedValue | ast.JoinedStr):
        return node, ""
    return (node, "") if _in_pattern_or_fstring(node, parents) else (node, "value")


def _decorated(node: ast.AST, parents: dict[int, ast.AST]) -> ast.expr | None:
    """The decorator that a node is, or lies in."""
    while not isinstance(node, ast.stmt):
        holder = parents[id(node)]
        if isinstance(holder, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return node if node in holder.decorator_list else None
        node = holder
    return None


def _in_pattern_or_fstring(node: ast.AST, parents: dict[int, ast.AST]) -> bool:
    while not isinstance(node, ast.stmt):
        node = parents[id(node)]
        if isinstance(node, ast.pattern | ast.JoinedStr):
            return True
    return False


def reading(node: ast.AST) -> ast.expr | None:
    """A function that reads a chain of names and items once more, or asks for an item of one."""
    if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", _LOAD), ast.Load):
        return None
    asked = node
    if isinstance(node, ast.Call) and not node.keywords and node.args:
        function = node.func
        rest = node.args
        if isinstance(function, ast.Attribute) and function.attr == "get":
            asked = function.value
        elif isinstance(function, ast.Name) and function.id == "getattr":
            asked, *rest = node.args
        if not all(isinstance(one, ast.Name | ast.Constant) for one in rest):
            return None
    if not readable(asked):
        return None
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(nothing, copy.deepcopy(node)), node)


def readable(node: ast.AST) -> bool:
    """Whether an expression is a chain of attributes and items, which can be read once more."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Name | ast.Constant):
            return False
        node = node.value
    return isinstance(node, ast.Name)


def loaded(node: ast.expr) -> ast.expr:
    """A copy of a name or chain that reads."""
    if isinstance(node, ast.Attribute):
        return ast.Attribute(loaded(node.value), node.attr, ast.Load())
    if isinstance(node, ast.Subscript):
        return ast.Subscript(loaded(node.value), node.slice, ast.Load())
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    return node
