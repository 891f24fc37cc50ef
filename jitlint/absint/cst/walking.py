"""Walks over trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jitlint.absint.cst.base import CSTNode
from jitlint.absint.cst.expressions import Lambda
from jitlint.absint.cst.statements import ClassDef, FunctionDef

_SCOPES = (FunctionDef, Lambda, ClassDef)


def children(node: CSTNode) -> list[CSTNode]:
    """The nodes directly below a node, in the order of the source; operators are none of them."""
    found: list[CSTNode] = []
    for name in node.fields:
        child: Any = getattr(node, name)
        if child is None:
            continue
        kind = type(child)
        if kind is tuple or kind is list:
            found.extend(child)
        else:
            found.append(child)
    return found


def walk_own(node: CSTNode) -> Iterator[CSTNode]:
    """A tree without the bodies of functions and classes nested in it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if type(current) in _SCOPES and current is not node:
            continue
        stack.extend(children(current))
