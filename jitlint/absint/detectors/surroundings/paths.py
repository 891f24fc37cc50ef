"""Paths through the code of a function: what one run can reach, and what it can leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import children, walk_own
from jitlint.absint.detectors.surroundings.written import own_above

if TYPE_CHECKING:
    from jitlint.absint.code.functions import ParsedUnit
    from jitlint.absint.machine.frames import Frame

#: what statements are made of; anything else is an expression, and nobody leaves from there
_STEPS = frozenset(
    {cst.FunctionDef, cst.IndentedBlock, cst.SimpleStatementSuite, cst.SimpleStatementLine,
     cst.If, cst.Else, cst.For, cst.While, cst.With, cst.Match, cst.MatchCase, cst.Return,
     cst.Raise, cst.Try, cst.TryStar, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally}
)  # fmt: skip
_NESTED = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef})
_REPEATED_OR_LEFT = frozenset({cst.For, cst.While, cst.Try, cst.TryStar})


def names_in(node: cst.CSTNode) -> Iterator[str]:
    """The names in a piece of code."""
    if isinstance(node, cst.Name):
        yield node.value
    for child in node.children:
        yield from names_in(child)


def call_of(around: cst.CSTNode, node: cst.CSTNode) -> cst.Call | None:
    """The call within a piece of code of which a node is an argument."""
    stack = [around]
    while stack:
        current = stack.pop()
        if isinstance(current, cst.Call) and any(arg.value is node for arg in current.args):
            return current
        stack.extend(children(current))
    return None


def in_order(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A tree from top to bottom, without the functions and classes nested in it."""
    yield node
    for child in children(node):
        if not isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            yield from in_order(child)


def bound_beside(
    parsed: ParsedUnit, around: cst.CSTNode, node: cst.CSTNode
) -> Iterator[cst.CSTNode]:
    """What the statement binds that a node stands in, in a piece of code of a unit."""
    for inner in walk_own(around):
        if isinstance(inner, cst.Assign) and parsed.holds(inner.value, node):
            yield from targets_of(inner)


def names_given(frame: Frame, node: cst.CSTNode) -> set[str]:
    """The names in the code that runs to which assignments give what a node is part of."""
    return {
        name
        for inner, below in own_above(frame, node)
        if isinstance(inner, cst.Assign) and below is inner.value
        for target in inner.targets
        for name in target_names(target.target)
    }


def targets_of(assign: cst.Assign) -> Iterator[cst.CSTNode]:
    """What an assignment binds, each part of what it takes apart."""
    for each in assign.targets:
        yield from parts_of(each.target)


def parts_of(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of what is bound."""
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from parts_of(element.value)
    else:
        yield target


def is_skipped(
    parsed: ParsedUnit,
    function: cst.CSTNode,
    first: cst.CSTNode,
    undoing: Sequence[cst.CSTNode],
) -> bool:
    """Whether a function can be left, without an error, between a place and what undoes it.

    There is a ``return`` before the first place that undoes it, or all of these stand under an
    ``if`` of their own that has no ``else``; a ``finally`` is always reached.
    """
    paths = {
        id(place): [place, *takewhile(lambda outer: outer is not function, parsed.above(place))]
        if parsed.holds(function, place)
        else []
        for place in undoing
    }
    if any(isinstance(part, cst.Finally) for path in paths.values() for part in path):
        return False
    between = False
    for inner in in_order(function):
        if inner is first:
            between = True
        elif between and id(inner) in paths:
            break
        elif between and isinstance(inner, cst.Return):
            return True
    else:
        return False
    return all(
        any(
            isinstance(part, cst.If) and part.orelse is None and not parsed.holds(part, first)
            for part in path
        )
        for path in paths.values()
    )


def most_on_one_path(node: cst.CSTNode, wanted: set[int]) -> int:
    """How many of some nodes one run of a piece of code can reach, loops counted once."""
    return _reached(node, wanted, _above(node, wanted), top=True)[0] if wanted else 0


def leaves(node: cst.CSTNode) -> bool:
    """Whether every run of a piece of code leaves the function, or raises."""
    if any(isinstance(inner, (cst.Break, cst.Continue)) for inner in walk_own(node)):
        return False
    return _reached(node, set(), set())[1] is None


def _above(node: cst.CSTNode, wanted: set[int]) -> set[int]:
    """The nodes that hold one of some nodes, and these themselves."""
    parents: dict[int, int] = {}
    stack = [node]
    while stack:
        current = stack.pop()
        inner = children(current)
        stack.extend(inner)
        number = id(current)
        for child in inner:
            parents[id(child)] = number
    found = set()
    for start in wanted:
        at: int | None = start
        while at is not None and at not in found:
            found.add(at)
            at = parents.get(at)
    return found


def _reached(
    node: cst.CSTNode, wanted: set[int], above: set[int], *, top: bool = False
) -> tuple[int, int | None]:
    """(the most on any path, the most on one that goes on behind the node; None: none does)."""
    kind = type(node)
    if (kind in _NESTED and not top) or (kind not in _STEPS and id(node) not in above):
        return 0, 0
    if isinstance(node, (cst.If, cst.IfExp)):
        asked, _ = _reached(node.test, wanted, above)
        ways = [_reached(node.body, wanted, above)]
        ways.append((0, 0) if node.orelse is None else _reached(node.orelse, wanted, above))
        most = asked + max(way for way, _ in ways)
        return most, max((asked + on for _, on in ways if on is not None), default=None)
    if kind is cst.Match:
        ways = [_reached(case, wanted, above) for case in children(node)]
        most = max((way for way, _ in ways), default=0)
        return most, max((on for _, on in ways if on is not None), default=0)
    most = behind = 1 if id(node) in wanted else 0
    for child in children(node):
        way, on = _reached(child, wanted, above)
        most = max(most, behind + way)
        if on is None:
            if kind not in _REPEATED_OR_LEFT:
                return most, None
            # It may run no turn, or be left in the middle.
            on = way
        behind += on
    most = max(most, behind)
    return most, None if kind is cst.Return or kind is cst.Raise else behind


def repeating_loops(frame: Frame) -> list[cst.CSTNode]:
    """The loops around a place that run more than one turn, outermost first."""
    return [loop for loop in frame.enclosing_loops if repeats(loop)]


def lasting_loops(frame: Frame, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The loops around a place, outermost first, but for inner ones that end with it."""
    loops = repeating_loops(frame)
    parsed = frame.parsed
    while loops and isinstance(loop := loops[-1], (cst.For, cst.While)):
        if not parsed.answer((_leaves, loop, node), partial(_leaves, parsed, loop, node)):
            break
        loops.pop()
    return loops


def repeats(loop: cst.CSTNode) -> bool:
    """Whether a loop may have more than one turn: not ``for threshold in [0.5]``."""
    if not isinstance(loop, (cst.For, cst.CompFor)) or not isinstance(
        loop.iter, (cst.List, cst.Tuple, cst.Set)
    ):
        return True
    elements = loop.iter.elements
    return len(elements) > 1 or any(isinstance(each, cst.StarredElement) for each in elements)


def _leaves(parsed: ParsedUnit, loop: cst.For | cst.While, node: cst.CSTNode) -> bool:
    """Whether a loop ends with the place: in a ``return``, or before a ``break`` or ``return``."""
    for inner in walk_own(loop):
        if isinstance(inner, cst.Return) and parsed.holds(inner, node):
            return True
        if isinstance(inner, cst.IndentedBlock) and inner.body and parsed.holds(inner, node):
            end = inner.body[-1]
            last = end.body[-1] if isinstance(end, cst.SimpleStatementLine) else end
            if isinstance(last, (cst.Return, cst.Raise)):
                return True
            if isinstance(last, cst.Break) and not _within_inner(parsed, loop, inner):
                return True
    return False


def _within_inner(parsed: ParsedUnit, loop: cst.For | cst.While, block: cst.CSTNode) -> bool:
    """Whether a block of a loop belongs to a loop inside of it."""
    return any(
        isinstance(inner, (cst.For, cst.While))
        and inner is not loop
        and parsed.holds(inner.body, block)
        for inner in walk_own(loop)
    )
