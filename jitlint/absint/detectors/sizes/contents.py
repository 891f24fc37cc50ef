"""Whether an expression gives something else each time that a piece of code runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import children, dotted
from jitlint.absint.detectors.sizes.scopes import Scope


def changes_in_content(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an expression gives something else each time, as far as names tell."""
    return any(is_other(scope, path) for path in paths_in(node))


def is_other(scope: Scope, path: str) -> bool:
    """Whether a name or an attribute holds something else each time."""
    head = path.partition(".")[0]
    bindings, calls = scope.written.bindings, scope.written.calls
    if path in bindings or head in bindings:
        return not scope.is_function or _is_made_of_other(scope, head)
    if any(_changes(call) for call in calls.get(path, ())):
        return True
    given = scope.given.get(head)
    if given is not None:
        return changes_in_content(*given)
    if scope.frame is not None and scope.parameter(head):
        scope.asked.add(f"content {head}")
    return False


def _changes(call: cst.Call) -> bool:
    """Whether a method changes the list that it is called on."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _CHANGING


_CHANGING: Final = frozenset(
    {"append", "appendleft", "clear", "extend", "insert", "pop", "popleft", "remove"}
)


def _is_made_of_other(scope: Scope, name: str) -> bool:
    """Whether what a function binds is made of what is another thing in each of its calls."""
    question = ("content", id(scope.repeated), name)
    if question in scope.active:
        return False
    scope.active.add(question)
    try:
        return any(
            binding.value is not None and changes_in_content(scope, binding.value)
            for binding in scope.written.bindings.get(name, ())
        )
    finally:
        scope.active.discard(question)


def paths_in(node: cst.CSTNode) -> Iterator[str]:
    """The names in an expression, with the attributes that are asked of them."""
    path = dotted(node)
    if path is not None:
        yield path
        return
    if isinstance(node, cst.Arg):
        yield from paths_in(node.value)
        return
    for child in children(node):
        yield from paths_in(child)
