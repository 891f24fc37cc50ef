"""Code that says what it does: markers in a module's tree, before it is compiled.

The file on disk stays as it is, and every position too, so that tracebacks and ``inspect`` show
what the user wrote.  Each statement announces itself, and each reported expression is passed
through the probe that stands in the module under ``NAME``.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: what an instrumented module calls its probe
NAME = "__jitlint__"
#: rules whose report stands on an argument, while the call around it is what fails
_ARGUMENT_RULES = frozenset({"JIT304", "JIT305", "JIT308"})
#: the rule whose report stands on a ``try``
_SWALLOWED = "JIT113"
_JIT_RULES = frozenset({"JIT301", "JIT302", "JIT303", "JIT309"})
#: rules whose report stands on or in a call, at which something is compiled or cleared
_CALL_RULES = frozenset({"JIT306", "JIT307", "JIT312", "JIT313"})
#: rules whose report stands on what a trace reads, and can be read once more
_READ_RULES = frozenset({"JIT208", "JIT311"})
#: the rule whose report stands on an iterator that is advanced, or on the loop over it
_ADVANCED = "JIT210"
#: the rule whose report stands on a loop, or on what a comprehension goes through
_UNROLLED = "JIT404"
#: the rule whose report stands on a change of a container
_CHANGED = "JIT214"
_BROAD = frozenset({"Exception", "BaseException", "TypeError", "ConcretizationTypeError"})
#: marks a statement, in the tree, as one that stores what a report is about
_STORE = "jitlint_store"

_LOAD = ast.Load()

Span = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Site:
    """A reported place: the report's number, its rule, and its span in rows and code points."""

    report: int
    code: str
    span: Span


@dataclass(frozen=True, slots=True)
class Guarded:
    """A ``try`` whose handler catches what a tracer raises: the rows of its body, its own row."""

    first: int
    last: int
    row: int


@dataclass(frozen=True, slots=True)
class Instrumented:
    """A module ready to compile.

    Args:
      tree: the tree with its markers.
      located: the reports whose expression was found, with what was made of it: ``value``,
        ``call``, ``item``, ``store``, ``jit``, ``decorator``, ``turns``.
      rows: of each report, the rows of the statement it stands in.
      guards: the ``try`` statements that swallow the errors of tracers.
    """

    tree: ast.Module
    located: dict[int, str]
    rows: dict[int, frozenset[int]]
    guards: tuple[Guarded, ...]


def instrument(source: str, filename: str, sites: Sequence[Site]) -> Instrumented:
    """Put markers into a module.

    Args:
      source: its text.
      filename: for messages.
      sites: the reported places in it.

    Raises:
      SyntaxError: the text is no Python that this version understands.
    """
    tree = ast.parse(source, filename)
    lines = source.splitlines()
    rows = {site.report: statement_rows(tree, site.span[0]) for site in sites}
    guards = tuple(_guards(tree))
    if any(site.code == _CHANGED for site in sites):
        _tell_returns(tree)
    weaver = _Weaver(_assign_sites(tree, lines, sites))
    woven = weaver.visit(tree)
    assert isinstance(woven, ast.Module)
    _mark_block(woven)
    ast.fix_missing_locations(woven)
    return Instrumented(woven, weaver.located, rows, guards)


def statement_rows(tree: ast.AST, row: int) -> frozenset[int]:
    """The rows of the innermost statement at a row; of a compound statement, its header's."""
    best: frozenset[int] | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            rows = _header_rows(node)
            if row in rows and (best is None or min(rows) >= min(best)):
                best = rows
    return frozenset({row}) if best is None else best


def loop_rows(tree: ast.AST, row: int) -> tuple[int, int] | None:
    """The rows of a loop's statement and of the first statement of its body.

    Args:
      tree: the module as written.
      row: of the loop.

    Returns:
      None where no loop statement stands there.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.AsyncFor | ast.While) and row in _header_rows(node):
            return node.lineno, node.body[0].lineno
    return None


def _header_rows(node: ast.stmt) -> frozenset[int]:
    if isinstance(node, ast.Match):
        rows = set(range(node.lineno, node.cases[0].pattern.lineno))
        for case in node.cases:
            rows.update(
                range(case.pattern.lineno, max(case.body[0].lineno, case.pattern.lineno + 1))
            )
        return frozenset(rows)
    end = node.end_lineno or node.lineno
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        end = max(node.lineno, body[0].lineno - 1)
    decorators = getattr(node, "decorator_list", ())
    return frozenset(range(min([node.lineno, *(d.lineno for d in decorators)]), end + 1))


def _guards(tree: ast.AST) -> Iterable[Guarded]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Try | ast.TryStar):
            continue
        for handler in node.handlers:
            names = {
                inner.attr if isinstance(inner, ast.Attribute) else inner.id
                for inner in ast.walk(handler.type or ast.Name("Exception"))
                if isinstance(inner, ast.Attribute | ast.Name)
            }
            # A handler that raises again hides nothing.
            raises = any(isinstance(inner, ast.Raise) for inner in handler.body)
            if names & _BROAD and not raises:
                last = node.body[-1]
                yield Guarded(node.body[0].lineno, last.end_lineno or last.lineno, node.lineno)
                break


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


def _assign_sites(
    tree: ast.AST, lines: Sequence[str], sites: Sequence[Site]
) -> dict[int, list[tuple[Site, str]]]:
    """For each node, by identity, the reports that it serves and what to make of it."""
    parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    spans: list[tuple[Span, ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            span = node_span(node, lines)
            if span is not None:
                spans.append((span, node))
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
    return found


def _node_at(spans: Sequence[tuple[Span, ast.expr]], span: Span) -> ast.expr | None:
    exact = [node for other, node in spans if other == span]
    if exact:
        return exact[0]
    start, end = span[:2], span[2:]
    # A report may include parentheses, which the tree leaves out.
    inner = [(s, n) for s, n in spans if s[:2] >= start and s[2:] <= end]
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
    if site.code in _READ_RULES and _reading(node) is not None:
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


class _Weaver(ast.NodeTransformer):
    """Passes reported expressions through the probe."""

    def __init__(self, sites: dict[int, list[tuple[Site, str]]]) -> None:
        self.sites = sites
        self.located: dict[int, str] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        planned = self.sites.get(id(node), ())
        again = None
        if any(site.code in _READ_RULES and kind == "value" for site, kind in planned):
            again = _reading(node)
        node = self.generic_visit(node)
        result: ast.AST = node
        for site, kind in planned:
            if kind != "caught":
                self.located[site.report] = kind
            if again is not None and site.code in _READ_RULES:
                assert isinstance(result, ast.expr)
                made = _probe("read", [ast.Constant(site.report), result, again])
                result = ast.copy_location(made, node)
            else:
                result = self._wrap(site, kind, result)
        return result

    def _wrap(self, site: Site, kind: str, node: ast.AST) -> ast.AST:
        number = ast.Constant(site.report)
        if kind == "call" and isinstance(node, ast.Call):
            made = _probe("call", [number, node.func, *node.args], node.keywords)
        elif kind == "item" and isinstance(node, ast.Subscript):
            made = _probe("item", [number, node.value, _index(node.slice)])
        elif kind == "store":
            return self._store(site, node)
        elif kind == "caught":
            assert isinstance(node, ast.Try | ast.TryStar)
            for handler in node.handlers:
                look = ast.Expr(_probe("caught", [number]))
                handler.body.insert(0, ast.copy_location(look, handler))
            return node
        else:
            assert isinstance(node, ast.expr)
            method = kind if kind in ("jit", "decorator", "turns") else "value"
            made = _probe(method, [number, node])
        return ast.copy_location(made, node)

    def _store(self, site: Site, node: ast.AST) -> ast.AST:
        """A statement that stores, followed by a look at what it stored into."""
        number = ast.Constant(site.report)
        item = _item_store(node)
        if site.code == "JIT205" and item is not None:
            target, value, operator = item
            made = _probe(
                "set_item",
                [number, target.value, _index(target.slice), value, ast.Constant(operator)],
            )
            return ast.copy_location(ast.Expr(ast.copy_location(made, node)), node)
        setattr(node, _STORE, site)
        return node


def _reading(node: ast.AST) -> ast.expr | None:
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
    if not _readable(asked):
        return None
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(nothing, copy.deepcopy(node)), node)


def _tell_returns(tree: ast.AST) -> None:
    """Let every function tell what it returns."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = ast.copy_location(_probe("leaving", [node.value]), node.value)


def _item_store(node: ast.AST) -> tuple[ast.Subscript, ast.expr, str] | None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return target, node.value, ""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
        return node.target, node.value, type(node.op).__name__
    return None


def _index(node: ast.expr) -> ast.expr:
    """A subscript as an ordinary expression."""
    if isinstance(node, ast.Slice):
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return ast.copy_location(_probe("slice", parts), node)
    if isinstance(node, ast.Tuple):
        return ast.copy_location(ast.Tuple([_index(e) for e in node.elts], ast.Load()), node)
    return node


def _probe(
    method: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword] = ()
) -> ast.Call:
    function = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
    return ast.Call(function, list(arguments), list(keywords))


def _mark_block(node: ast.AST) -> None:
    """Put a marker before each statement of every block below a node."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            setattr(node, name, list(_marked(value, node)))
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.expr):
                _mark_block(child)


def _marked(block: Sequence[ast.stmt], holder: ast.AST) -> Iterable[ast.stmt]:
    head = isinstance(holder, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    for position, statement in enumerate(block):
        docstring = (
            head
            and position == 0
            and isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
        )
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        # A declaration stands before every use of its names, so nothing may hide it.
        declares = isinstance(statement, ast.Global | ast.Nonlocal)
        if not (docstring or future or declares):
            marker = _probe("at", [ast.Constant(statement.lineno)])
            yield ast.copy_location(ast.Expr(ast.copy_location(marker, statement)), statement)
        yield statement
        site = getattr(statement, _STORE, None)
        if site is not None:
            yield from _looks(statement, site)


def _looks(statement: ast.stmt, site: Site) -> Iterable[ast.stmt]:
    """After a store: hand the object stored into, and the name, to the probe."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, ast.Delete):
        targets = statement.targets
    flat = [e for t in targets for e in (t.elts if isinstance(t, ast.Tuple | ast.List) else [t])]
    for target in flat:
        if isinstance(target, ast.Attribute | ast.Subscript):
            value, name = target.value, ast.unparse(target.value)
        elif isinstance(target, ast.Name):
            value, name = ast.Name(target.id, ast.Load()), target.id
        else:
            continue
        if not _readable(value):
            continue
        method, arguments = "stored", [_loaded(value), ast.Constant(name)]
        if site.code == _CHANGED:
            method = "changed"
            if _readable(target) and not isinstance(statement, ast.Delete):
                arguments.append(_loaded(target))
        look = _probe(method, [ast.Constant(site.report), *arguments])
        yield ast.copy_location(ast.Expr(ast.copy_location(look, statement)), statement)


def _readable(node: ast.AST) -> bool:
    """Whether an expression is a chain of attributes and items, which can be read once more."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Name | ast.Constant):
            return False
        node = node.value
    return isinstance(node, ast.Name)


def _loaded(node: ast.expr) -> ast.expr:
    """A copy of a name or chain that reads."""
    if isinstance(node, ast.Attribute):
        return ast.Attribute(_loaded(node.value), node.attr, ast.Load())
    if isinstance(node, ast.Subscript):
        return ast.Subscript(_loaded(node.value), node.slice, ast.Load())
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    return node
