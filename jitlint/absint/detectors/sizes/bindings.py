"""What a piece of code binds, by the names and attributes that it writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk_own
from jitlint.foundation.records import Record

_NOWHERE: tuple[int, ...] = ()
#: what binds something
_BINDING: Final = frozenset(
    {cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.AugAssign, cst.For, cst.CompFor, cst.WithItem,
     cst.ExceptHandler, cst.Del}
)  # fmt: skip


class Binding(Record):
    """One place that gives a name or an attribute another value.

    Args:
      node: the statement, loop or expression.
      value: what it is set to, what is gone through by a loop; None where that is not written.
      index: which part of that, where it is unpacked.
      is_loop: whether a loop or a comprehension does so.
      is_step: whether it is ``+=`` or one of its kin.
    """

    node: cst.CSTNode
    value: cst.BaseExpression | None
    index: tuple[int, ...] = _NOWHERE
    is_loop: bool = False
    is_step: bool = False


class Written(Record):
    """What a piece of code does with names and attributes, each as it is written.

    Args:
      bindings: where each is bound.
      calls: the methods that are called on each.
    """

    bindings: Mapping[str, Sequence[Binding]]
    calls: Mapping[str, Sequence[cst.Call]]


def written(node: cst.CSTNode) -> Written:
    """What a loop or a function does, without the functions and classes nested in it."""
    bindings: dict[str, list[Binding]] = {}
    calls: dict[str, list[cst.Call]] = {}
    for inner in walk_own(node):
        if type(inner) is cst.Call:
            if isinstance(inner.func, cst.Attribute):
                receiver = dotted(inner.func.value)
                if receiver is not None:
                    calls.setdefault(receiver, []).append(inner)
            continue
        if type(inner) in _BINDING:
            for path, binding in _bound_by(inner):
                bindings.setdefault(path, []).append(binding)
    return Written(bindings, calls)


def _bound_by(node: cst.CSTNode) -> Iterator[tuple[str, Binding]]:
    if isinstance(node, cst.Assign):
        for assigned in node.targets:
            yield from _parts(assigned.target, node, node.value)
    elif isinstance(node, cst.AnnAssign):
        if node.value is not None:
            yield from _parts(node.target, node, node.value)
    elif isinstance(node, cst.NamedExpr):
        yield from _parts(node.target, node, node.value)
    elif isinstance(node, cst.AugAssign):
        for path, _ in _parts(node.target, node, None):
            yield path, Binding(node, node.value, is_step=True)
    elif isinstance(node, (cst.For, cst.CompFor)):
        for path, part in _parts(node.target, node, node.iter):
            yield path, Binding(node, node.iter, part.index, is_loop=True)
    elif isinstance(node, (cst.WithItem, cst.ExceptHandler)):
        if node.asname is not None if isinstance(node, cst.WithItem) else node.name is not None:
            named = node.asname if isinstance(node, cst.WithItem) else node.name
            assert named is not None
            yield from _parts(named.name, node, None)
    elif isinstance(node, cst.Del) and isinstance(node.target, cst.Subscript):
        # A name that is deleted has no other value before.
        yield from _parts(node.target.value, node, None)


def _parts(
    target: cst.CSTNode,
    node: cst.CSTNode,
    value: cst.BaseExpression | None,
    index: tuple[int, ...] = _NOWHERE,
) -> Iterator[tuple[str, Binding]]:
    """What an assignment binds to which part of its value."""
    if isinstance(target, (cst.Tuple, cst.List)):
        starred = any(isinstance(element, cst.StarredElement) for element in target.elements)
        for number, element in enumerate(target.elements):
            inner = None if starred else value
            yield from _parts(element.value, node, inner, (*index, number))
        return
    path = dotted(target)
    if path is not None:
        yield path, Binding(node, value, index)


def part_of(
    node: cst.BaseExpression, index: tuple[int, ...]
) -> tuple[cst.BaseExpression, tuple[int, ...]]:
    """The part of a written tuple that an index leads to, and what is left of the index."""
    while index and isinstance(node, (cst.Tuple, cst.List)) and index[0] < len(node.elements):
        if any(isinstance(element, cst.StarredElement) for element in node.elements):
            break
        node, index = node.elements[index[0]].value, index[1:]
    return node, index
