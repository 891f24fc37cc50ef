"""Local names that are read before anything binds them: the function raises there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import bindings_of
from jitlint.absint.code.syntax import walk_own

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code


def unbound_in(code: Code) -> frozenset[int]:
    """Where a function reads a local name that a statement further down its body is first to bind.

    ``UnboundLocalError`` is raised there whatever the function is given.  A statement that binds a
    name may as well do so before it reads it, unless it is one assignment.

    Returns:
      The ``id`` of each of the nodes.
    """
    node = code.node
    awaited = code.bound_names - {each.name for each in code.parameters}
    found: set[int] = set()
    for statement in node.body.body if isinstance(node, cst.FunctionDef) else ():
        if not awaited:
            break
        nodes = [*walk_own(statement)]
        bound = awaited.intersection(name for inner in nodes for name in bindings_of(inner))
        first = _evaluated_first(statement) if bound else nodes
        # Comprehensions have names of their own.
        own = {name for each in first if isinstance(each, cst.CompFor) for name in _within(each)}
        found.update(
            id(each)
            for each in first
            if isinstance(each, cst.Name) and each.value in awaited and each.value not in own
        )
        awaited -= bound
    return frozenset(found)


def _within(node: cst.CompFor) -> Iterator[str]:
    return (inner.value for inner in walk_own(node.target) if isinstance(inner, cst.Name))


def _evaluated_first(statement: cst.CSTNode) -> list[cst.CSTNode]:
    """What an assignment evaluates before it binds anything."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    found = [*walk_own(small.value)] if isinstance(small, cst.Assign) else []
    return [] if any(isinstance(each, cst.NamedExpr) for each in found) else found
