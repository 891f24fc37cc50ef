"""Whether a name has a value at a place, for sure."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.fixes.making.draft import Draft


def is_bound_before(draft: Draft, statement: cst.CSTNode, function: Code, name: str) -> bool:
    """Whether a function certainly binds a name before a statement of it begins.

    Args:
      draft: the fix.
      statement: the statement.
      function: the function.
      name: one of its local names.
    """
    if any(parameter.name == name for parameter in function.parameters):
        return True
    row = draft.start(statement).row
    return any(
        isinstance(node, (cst.AssignTarget, cst.AnnAssign))
        and name in target_names(node.target)
        and draft.start(node.target).row < row
        and _is_done_before(draft, node, statement)
        for node in function.own_nodes
    )


def _is_done_before(draft: Draft, node: cst.CSTNode, statement: cst.CSTNode) -> bool:
    """Whether no branch may leave out what a node stands in, if a statement is reached."""
    blocks = {id(outer) for outer in draft.around(statement)}
    line = next((it for it in draft.around(node) if isinstance(it, cst.SimpleStatementLine)), None)
    return line is not None and id(draft.parent(line)) in blocks
