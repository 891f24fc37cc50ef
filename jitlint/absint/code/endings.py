"""How blocks end, as far as their syntax tells."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst


def always_raises(statements: Sequence[cst.CSTNode]) -> bool:
    """Whether a block without ``return`` ends in ``raise`` on each path, whatever is tested."""
    return any(map(_raises, statements))


def _raises(node: cst.CSTNode | None) -> bool:
    if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
        return any(type(small) is cst.Raise for small in node.body)
    if isinstance(node, cst.If):
        return always_raises(node.body.body) and _raises(node.orelse)
    if isinstance(node, (cst.Else, cst.With, cst.ExceptHandler)):
        return always_raises(node.body.body)
    if isinstance(node, cst.Try):
        tried = _raises(node.orelse) or always_raises(node.body.body)
        return tried and all(map(_raises, node.handlers))
    return False
