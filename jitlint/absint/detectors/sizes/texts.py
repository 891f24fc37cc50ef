"""What there is to go through, and how many of that: words, letters, elements."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.code.syntax import called_name, dotted
from jitlint.absint.detectors.sizes.contents import changes_in_content
from jitlint.absint.detectors.sizes.questions import (
    Change,
    How,
    change_of_size,
    changed,
    first_of,
)
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.sizes.windows import change_of_range
from jitlint.absint.values.domain import Const, Static
from jitlint.absint.values.lattice import type_name


def change_of_length(scope: Scope, node: cst.BaseExpression) -> Change | None:
    """How the number of elements changes that there are to go through."""
    text = change_of_text(scope, node)
    if text is not None:
        return text
    if isinstance(node, cst.Call) and node.args and not node.args[0].star:
        called = called_name(node)
        if called in ("enumerate", "reversed", "sorted", "list", "tuple", "tqdm", "set"):
            return change_of_length(scope, node.args[0].value)
        if called == "range":
            return change_of_range(scope, node.args)
        if called == "zip":
            return first_of(change_of_length(scope, arg.value) for arg in node.args)
    return change_of_size(scope, node)


def change_of_joined(scope: Scope, parts: Sequence[cst.BaseExpression]) -> Change | None:
    """How the size changes of what is put together end to end.

    What is added to something that grows may be what is missing to a fixed length.
    """
    changes = [change_of_size(scope, part) for part in parts]
    sure = [change for change in changes if change is not None]
    others = (part for part, change in zip(parts, changes, strict=True) if change is None)
    if len(sure) != 1 or any(changes_in_content(scope, part) for part in others):
        return None
    return sure[0]


def change_of_text(scope: Scope, node: cst.BaseExpression) -> Change | None:
    """The words or letters of a text that is another one each time."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        plain = len(node.args) < 2 and all(
            isinstance(arg.value, (cst.SimpleString, cst.Name)) for arg in node.args
        )
        if node.func.attr.value == "split" and plain and scope.library(node.func) == "":
            changes = changes_in_content(scope, node.func.value)
            return changed(scope, How.TEXT, node.func.value) if changes else None
        return None
    path = dotted(node)
    value = None if path is None else scope.value(path)
    known = isinstance(value, (Const, Static)) and type_name(value) in ("str", "bytes")
    if known and changes_in_content(scope, node):
        return changed(scope, How.TEXT, node)
    return None
