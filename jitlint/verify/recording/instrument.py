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

from jitlint.verify.recording.sites import (
    CHANGED,
    READ_RULES,
    Site,
    assign_sites,
    loaded,
    readable,
    reading,
)

#: what an instrumented module calls its probe
NAME = "__jitlint__"
_BROAD = frozenset({"Exception", "BaseException", "TypeError", "ConcretizationTypeError"})
#: marks a statement, in the tree, as one that stores what a report is about
_STORE = "jitlint_store"


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
      catching: the first and the last row of each block whose ``try`` or ``with`` may catch
        something.
    """

    tree: ast.Module
    located: dict[int, str]
    rows: dict[int, frozenset[int]]
    guards: tuple[Guarded, ...]
    catching: tuple[tuple[int, int], ...]


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
    statements = rows_of_statements(tree)
    rows = {site.report: statements.get(site.span[0], frozenset({site.span[0]})) for site in sites}
    guards = tuple(_guards(tree))
    catching = tuple(_catching(tree))
    if any(site.code == CHANGED for site in sites):
        _tell_returns(tree)
    weaver = _Weaver(assign_sites(tree, lines, sites))
    woven = weaver.visit(tree)
    assert isinstance(woven, ast.Module)
    _mark_block(woven)
    ast.fix_missing_locations(woven)
    return Instrumented(woven, weaver.located, rows, guards, catching)


def statement_rows(tree: ast.AST, row: int) -> frozenset[int]:
    """The rows of the innermost statement at a row; of a compound statement, its header's."""
    return rows_of_statements(tree).get(row, frozenset({row}))


def rows_of_statements(tree: ast.AST) -> dict[int, frozenset[int]]:
    """The same for all rows that statements stand in."""
    found: dict[int, frozenset[int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            rows = _header_rows(node)
            for row in rows:
                if row not in found or min(rows) >= min(found[row]):
                    found[row] = rows
    return found


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


def _catching(tree: ast.AST) -> Iterable[tuple[int, int]]:
    """The rows of what a handler, or a context that is left, may catch something from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Try | ast.TryStar | ast.With | ast.AsyncWith):
            # What is only done in any case lets everything through: a run more, for nothing.
            last = node.body[-1]
            yield node.body[0].lineno, last.end_lineno or last.lineno


class _Weaver(ast.NodeTransformer):
    """Passes reported expressions through the probe."""

    def __init__(self, sites: dict[int, list[tuple[Site, str]]]) -> None:
        self.sites = sites
        self.located: dict[int, str] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        planned = self.sites.get(id(node), ())
        again = None
        if any(site.code in READ_RULES and kind == "value" for site, kind in planned):
            again = reading(node)
        node = self.generic_visit(node)
        result: ast.AST = node
        for site, kind in planned:
            if kind != "caught":
                self.located[site.report] = kind
            if again is not None and site.code in READ_RULES:
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
        site = getattr(statement, _STORE, None)
        if site is not None:
            yield from _looks_before(statement, site)
        yield statement
        if site is not None:
            yield from _looks(statement, site)


def _is_namespace(node: ast.expr) -> bool:
    """Whether an expression gives what an object or a module holds, as often as it is asked."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("vars", "globals")
        and all(map(readable, node.args))
    )


def _looks_before(statement: ast.stmt, site: Site) -> Iterable[ast.stmt]:
    """Before a store: hand the probe what reads its target, and the object that has it."""
    for target in _targets(statement):
        if not readable(target):
            continue
        holder = target.value if isinstance(target, ast.Attribute | ast.Subscript) else None
        owner = ast.Constant(None) if holder is None else loaded(holder)
        nothing = ast.arguments([], [], None, [], [], None, [])
        readers: list[ast.expr] = [
            ast.Lambda(nothing, copy.deepcopy(read)) for read in (owner, loaded(target))
        ]
        name = ast.Constant(
            target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)
        )
        look = _probe("storing", [ast.Constant(site.report), *readers, name])
        yield ast.copy_location(ast.Expr(ast.copy_location(look, statement)), statement)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What a statement stores into, one by one."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign | ast.Delete):
        targets = list(statement.targets)
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        targets = [statement.target]
    return [e for t in targets for e in (t.elts if isinstance(t, ast.Tuple | ast.List) else [t])]


def _looks(statement: ast.stmt, site: Site) -> Iterable[ast.stmt]:
    """After a store: hand the object stored into, and the name, to the probe."""
    for target in _targets(statement):
        if isinstance(target, ast.Attribute | ast.Subscript):
            value, name = target.value, ast.unparse(target.value)
        elif isinstance(target, ast.Name):
            value, name = ast.Name(target.id, ast.Load()), target.id
        else:
            continue
        if not (readable(value) or _is_namespace(value)):
            continue
        method, arguments = "stored", [loaded(value), ast.Constant(name)]
        if site.code == CHANGED:
            method = "changed"
            if readable(target) and not isinstance(statement, ast.Delete):
                arguments.append(loaded(target))
        look = _probe(method, [ast.Constant(site.report), *arguments])
        yield ast.copy_location(ast.Expr(ast.copy_location(look, statement)), statement)
