"""Local names that are read before anything binds them: the function raises there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import bindings_of, target_names
from jitlint.absint.code.syntax import SCOPES, children, walk_own

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code


def unbound_in(code: Code) -> frozenset[int]:
    """Where a function reads a local name that only statements further down its body bind.

    ``UnboundLocalError`` is raised there whatever the function is given.  A statement that binds a
    name may as well do so before it reads it, unless it is one assignment; and what a loop does
    under a condition may find what an earlier turn has bound.

    Returns:
      The ``id`` of each of the nodes.
    """
    body = code.node.body.body if isinstance(code.node, cst.FunctionDef) else ()
    awaited = code.bound_names - {each.name for each in code.parameters}
    return frozenset(id(node) for node in _in_block(body, awaited, looping=False))


def _in_block(
    body: Sequence[cst.CSTNode], awaited: frozenset[str], *, looping: bool
) -> Iterator[cst.Name]:
    """The reads in some statements that come before what binds any of some names."""
    for statement in body:
        if not awaited:
            return
        yield from _in_statement(statement, awaited, looping=looping)
        awaited -= _bound_by(statement)


def _in_statement(
    node: cst.CSTNode, awaited: frozenset[str], *, looping: bool
) -> Iterator[cst.Name]:
    if isinstance(node, cst.SimpleStatementLine):
        for small in node.body:
            first = small if awaited.isdisjoint(_bound_by(small)) else _evaluated_first(small)
            yield from _read(first, awaited, looping=looping)
            awaited -= _bound_by(small)
    elif isinstance(node, cst.For):
        yield from _read(node.iter, awaited, looping=looping)
        awaited -= _bound_by(node.iter) | {*target_names(node.target)}
        yield from _in_block(node.body.body, awaited, looping=True)
    elif isinstance(node, cst.While):
        yield from _read(node.test, awaited, looping=looping)
        yield from _in_block(node.body.body, awaited - _bound_by(node.test), looping=True)
    elif isinstance(node, cst.With):
        for item in node.items:
            yield from _read(item.item, awaited, looping=looping)
            awaited -= _bound_by(item)
        yield from _in_block(node.body.body, awaited, looping=looping)
    elif isinstance(node, cst.If):
        yield from _read(node.test, awaited, looping=looping)
        awaited -= _bound_by(node.test)
        if not looping:
            yield from _in_block(node.body.body, awaited, looping=False)
            if isinstance(node.orelse, cst.If):
                yield from _in_statement(node.orelse, awaited, looping=False)
            elif node.orelse is not None:
                yield from _in_block(node.orelse.body.body, awaited, looping=False)


def _bound_by(node: cst.CSTNode) -> frozenset[str]:
    return frozenset(name for inner in walk_own(node) for name in bindings_of(inner))


def _evaluated_first(node: cst.CSTNode) -> cst.CSTNode | None:
    """What an assignment evaluates before it binds anything."""
    return node.value if isinstance(node, cst.Assign) else None


def _read(
    node: cst.CSTNode | None, awaited: frozenset[str], *, looping: bool
) -> Iterator[cst.Name]:
    """The names in an expression that are surely read, in the first turn of a loop too."""
    stack = [] if node is None else [node]
    if node is not None:
        # `(n := f()) > 1 and g(n)` binds a name on the way.
        awaited -= _bound_by(node)
    while stack:
        current = stack.pop()
        if isinstance(current, cst.Name) and current.value in awaited:
            yield current
        elif isinstance(current, (cst.Attribute, cst.Arg)):
            stack.append(current.value)
        elif not isinstance(current, _APART) and not (looping and isinstance(current, _PERHAPS)):
            stack += children(current)


#: what has names of its own
_APART: Final = (*SCOPES, cst.BaseComp)
#: of which Python may evaluate parts alone
_PERHAPS: Final = (cst.IfExp, cst.BooleanOperation, cst.Comparison)
