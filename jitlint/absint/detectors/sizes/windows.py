"""Slices: whether what they leave is another length each time, or in the last turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk_own
from jitlint.absint.detectors.sizes.contents import is_other
from jitlint.absint.detectors.sizes.lengths import cut_length, number_of
from jitlint.absint.detectors.sizes.questions import (
    Change,
    How,
    change_of_number,
    changed,
)
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.loop_counters import counters
from jitlint.absint.detectors.surroundings.written import bindings

_WORDS: Final = re.compile(r"[A-Za-z_][\w.]*")
#: a sum of products: how often each product of names comes in it
_Terms = Counter[tuple[str, ...]]


def change_of_window(
    scope: Scope, value: cst.BaseExpression, cut: cst.Slice, *, of_rows: bool
) -> Change | None:
    """How the length changes that a slice leaves.

    Args:
      scope: what runs each time.
      value: what is sliced.
      cut: the slice.
      of_rows: whether it is along the first dimension.
    """
    if cut.lower is None or cut.upper is None:
        bound = cut.lower if cut.upper is None else cut.upper
        return None if bound is None else change_of_number(scope, bound)
    change = _of_span(scope, cut.lower, cut.upper)
    if change is not None:
        return change
    return _left_over(scope, value, cut) if of_rows else None


def change_of_range(scope: Scope, args: Sequence[cst.Arg]) -> Change | None:
    """How many numbers ``range`` gives, or an ``arange``."""
    given = [arg.value for arg in args if arg.keyword is None and not arg.star]
    named = {arg.keyword.value for arg in args if arg.keyword is not None}
    if not given or not named.isdisjoint(("start", "stop", "step")):
        return None
    if len(given) == 1:
        return change_of_number(scope, given[0])
    return _of_span(scope, given[0], given[1])


def _of_span(scope: Scope, lower: cst.BaseExpression, upper: cst.BaseExpression) -> Change | None:
    """How a difference changes."""
    width = _terms(scope, upper)
    width.subtract(_terms(scope, lower))
    left = {name for product, count in width.items() if count for name in product}
    varying = [name for name in sorted(left) if _varies(scope, name)]
    # Two that change may do so together.
    node = _named(varying[0], upper, lower) if len(varying) == 1 else None
    return None if node is None else change_of_number(scope, node)


def _varies(scope: Scope, text: str) -> bool:
    """Whether a part of a difference is another one each time, as far as names tell."""
    return any(is_other(scope, path) for path in _WORDS.findall(text))


def _named(name: str, *around: cst.BaseExpression) -> cst.BaseExpression | None:
    for node in around:
        for inner in walk_own(node):
            if isinstance(inner, (cst.Name, cst.Attribute)) and dotted(inner) == name:
                return inner
    return None


def _terms(scope: Scope, node: cst.BaseExpression, levels: int = 4) -> _Terms:
    """An expression as a sum of products of names, and of what it does not look into."""
    if isinstance(node, cst.Integer):
        return Counter({(): int(node.evaluated_value)})
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        return Counter({key: -count for key, count in _terms(scope, node.expression).items()})
    if isinstance(node, cst.BinaryOperation):
        left, right = _terms(scope, node.left, levels), _terms(scope, node.right, levels)
        if isinstance(node.operator, cst.Add):
            left.update(right)
            return left
        if isinstance(node.operator, cst.Subtract):
            left.subtract(right)
            return left
        if isinstance(node.operator, cst.Multiply):
            return _product(left, right)
    if isinstance(node, cst.Name) and levels:
        made = scope.written.bindings.get(node.value, ())
        if len(made) == 1 and not (made[0].is_loop or made[0].is_step or made[0].index):
            value = made[0].value
            if isinstance(value, (cst.BinaryOperation, cst.Name)):
                return _terms(scope, value, levels - 1)
    return Counter({(scope.source(node),): 1})


def _product(left: _Terms, right: _Terms) -> _Terms:
    found: _Terms = Counter()
    for one, count in left.items():
        for other, times in right.items():
            found[tuple(sorted((*one, *other)))] += count * times
    return found


def _left_over(scope: Scope, value: cst.BaseExpression, cut: cst.Slice) -> Change | None:
    """A last part that is certainly smaller than the others."""
    loop = scope.repeated
    counted = _counted(scope, loop)
    if counted is None or any(_asks(loop)):
        return None
    name, turns = counted
    if len(turns) < 2:
        return None
    first, last = (cut_length(scope, value, cut, {name: turn}) for turn in (turns[0], turns[-1]))
    if first is None or last is None or first == last:
        return None
    return changed(scope, How.LEFT_OVER, value)


def _counted(scope: Scope, loop: cst.CSTNode) -> tuple[str, range] | None:
    """What a loop counts with, and the numbers that this goes through, where they are known."""
    if isinstance(loop, (cst.For, cst.CompFor)) and isinstance(loop.target, cst.Name):
        name, given = loop.target.value, scope.parsed.fact(counters, loop).ranges
    elif isinstance(loop, cst.While):
        found = _stepped(scope, loop)
        if found is None:
            return None
        name, given = found
    else:
        return None
    limits = [number_of(scope, node) for node in given]
    whole = [limit for limit in limits if limit is not None]
    if not whole or len(whole) != len(limits) or 0 in whole[2:]:
        return None
    return name, range(*whole)


def _stepped(scope: Scope, loop: cst.While) -> tuple[str, list[cst.BaseExpression]] | None:
    """As a ``range`` would have it: ``start = 0``, ``while start < n:``, ``start += size`` last."""
    test, body = loop.test, loop.body.body
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    if not isinstance(test.left, cst.Name) or not isinstance(
        test.comparisons[0].operator, cst.LessThan
    ):
        return None
    last = body[-1] if body else None
    step = last.body[0] if isinstance(last, cst.SimpleStatementLine) else None
    if (
        not isinstance(step, cst.AugAssign)
        or not isinstance(step.operator, cst.AddAssign)
        or dotted(step.target) != test.left.value
    ):
        return None
    around = None if scope.code is None else scope.code.node
    made = [
        value
        for target, value in (() if around is None else bindings(around))
        if dotted(target) == test.left.value
    ]
    begun = [value for value in made if isinstance(value, cst.Integer)]
    if len(made) != 2 or len(begun) != 1:
        return None
    return test.left.value, [begun[0], test.comparisons[0].comparator, step.value]


def _asks(loop: cst.CSTNode) -> Iterator[bool]:
    """Whether a loop may leave a turn out, or deal with one in another way."""
    for inner in walk_own(loop):
        if isinstance(inner, cst.If):
            yield any(isinstance(each, (cst.Continue, cst.Break)) for each in walk_own(inner.body))
        elif isinstance(inner, cst.CompFor):
            yield bool(inner.ifs)
