"""``match`` statements: which patterns ask a traced value for its truth."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.events import Branch
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.python import assignment, narrowing, operations
from jitlint.absint.python.attributes import get_attribute
from jitlint.absint.python.calls import dict_contents
from jitlint.absint.python.statements import body_of, run_from
from jitlint.absint.python.types import narrow_type, type_test
from jitlint.absint.values.domain import NONE, UNKNOWN, Array, Const, Static, Tuple, Value
from jitlint.absint.values.heap import ListObject, State
from jitlint.absint.values.lattice import join_states


def run_match(it: Interpreter, node: cst.Match) -> None:
    """Execute a ``match`` statement.

    Raises:
      Terminated: when no path leaves it.
    """
    subject = it.ev(node.subject)
    after: State | None = None
    remaining: State | None = it.state
    for case in node.cases:
        if remaining is None:
            break
        branch = remaining.copy()
        before = it.state
        it.state = branch
        try:
            outcome = _match(it, case.pattern, subject, node.subject)
            if outcome is False:
                it.state = before
                continue
            if case.guard is not None:
                decided = operations.condition(it, case.guard, Branch, construct="match")
                narrowing.assume(it, case.guard, True)
                outcome = None if decided is not True else outcome
            branch = it.state
        except Terminated:
            it.state = before
            continue
        it.state = before
        after = join_states(after, run_from(it, branch, body_of(case.body)))
        if outcome is True:
            remaining = None
    result = join_states(after, remaining)
    if result is None:
        raise Terminated
    it.state = result


def _match(
    it: Interpreter, pattern: cst.MatchPattern, value: Value, node: cst.CSTNode
) -> bool | None:
    """Match one pattern, binding its names: True, False or None for not known."""
    if isinstance(pattern, cst.MatchValue):
        constant = it.ev(pattern.value)
        result = operations.compare(it, cst.Equal, value, constant, pattern, node, pattern.value)
        return operations.truth(it, result, pattern, Branch, construct="match", operand=node)
    if isinstance(pattern, cst.MatchSingleton):
        constant = it.ev(pattern.value)
        if value == UNKNOWN:
            return None
        if constant == NONE:
            return True if value == NONE else (False if not _may_be_none(value) else None)
        return (
            value == constant
            if isinstance(value, Const)
            else (False if isinstance(value, Array) else None)
        )
    if isinstance(pattern, cst.MatchAs):
        outcome: bool | None = True
        if pattern.pattern is not None:
            outcome = _match(it, pattern.pattern, value, node)
        if pattern.name is not None and outcome is not False:
            assignment.bind(it, pattern.name.value, value)
        return outcome
    if isinstance(pattern, cst.MatchOr):
        outcomes: list[bool | None] = []
        for alternative in pattern.patterns:
            it.asked = False
            outcomes.append(_match(it, alternative.pattern, value, node))
            if it.asked:
                # It raises at the first alternative that asks a traced value.
                return None
        if True in outcomes:
            return True
        return None if None in outcomes else False
    if isinstance(pattern, (cst.MatchList, cst.MatchTuple)):
        return _match_sequence(it, pattern, value, node)
    if isinstance(pattern, cst.MatchClass):
        types = it.ev(pattern.cls)
        outcome = type_test(it, value, types)
        if outcome is False:
            return False
        inner = narrow_type(it, value, types, True)
        for element in pattern.patterns:
            whole = inner if isinstance(inner, (Const, Static)) else UNKNOWN
            _match(it, element.value, whole, node)
        for keyword in pattern.kwds:
            held = get_attribute(it, inner, keyword.key.value, node)
            if _match(it, keyword.pattern, held, node) is False:
                return False
        simple = not pattern.patterns and not pattern.kwds
        return outcome if simple else None
    if isinstance(pattern, cst.MatchMapping):
        contents = dict_contents(it, value)
        for entry in pattern.elements:
            key = it.ev(entry.key)
            part: Value = UNKNOWN
            if contents is not None and isinstance(key, Const):
                if key.value in contents.items:
                    part = contents.items[key.value]
                elif contents.rest is None:
                    return False
            _match(it, entry.pattern, part, node)
        return False if isinstance(value, (Array, Const, Tuple)) else None
    return None


def _may_be_none(value: Value) -> bool:
    return not isinstance(value, (Array, Const, Tuple)) or value == NONE


def _match_sequence(
    it: Interpreter, pattern: cst.MatchList | cst.MatchTuple, value: Value, node: cst.CSTNode
) -> bool | None:
    if isinstance(value, (Array, Const)):
        # A tracer is no Sequence: the pattern silently does not match.
        return False
    element, items = operations.iterate(it, value, node)
    parts = pattern.patterns
    starred = any(isinstance(p, cst.MatchStar) for p in parts)
    if items is not None and not starred and len(items) != len(parts):
        return False
    outcome: bool | None = True if items is not None else None
    star = next((i for i, p in enumerate(parts) if isinstance(p, cst.MatchStar)), len(parts))
    after = len(parts) - star - 1
    if items is not None and starred and len(items) < len(parts) - 1:
        return False
    for index, part in enumerate(parts):
        if isinstance(part, cst.MatchStar):
            if part.name is not None:
                middle = None if items is None else tuple(items[star : len(items) - after])
                rest = it.allocate(part, ListObject(middle, element))
                assignment.bind(it, part.name.value, rest)
            continue
        item = element
        if items is not None:
            item = items[index if index < star else index - len(parts)]
        inner = _match(it, part.value, item, node)
        if inner is False:
            return False
        outcome = None if inner is None else outcome
    return outcome
