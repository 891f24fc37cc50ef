"""``match`` statements: which patterns ask a traced value for its truth."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.events import Branch
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import Rules, executes
from jitlint.absint.operations.comparison import compare
from jitlint.absint.operations.iteration import dict_contents
from jitlint.absint.operations.types import narrow_type, type_test
from jitlint.absint.python.assignment import bind
from jitlint.absint.python.narrowing import assume
from jitlint.absint.values.domain import NONE, UNKNOWN, Array, Const, Static, Tuple, Value
from jitlint.absint.values.heap import ListObject, State
from jitlint.absint.values.lattice import join_states

#: how a value is matched with a pattern: ``rule(it, pattern, value, node)``
_PATTERNS = Rules()


@executes(cst.Match)
def _run_cases(it: Interpreter, node: cst.Match) -> None:
    subject = it.ev(node.subject)
    after: State | None = None
    remaining: State | None = it.state
    for case in node.cases:
        if remaining is None:
            break
        with it.branch(remaining.copy()):
            try:
                outcome = _match_case(it, case, subject, node.subject)
            except Terminated:
                continue
            start = it.state
        if outcome is False:
            continue
        after = join_states(after, it.run_from(start, case.body.body))
        if outcome is True:
            remaining = None
    result = join_states(after, remaining)
    if result is None:
        raise Terminated
    it.state = result


def _match_case(
    it: Interpreter, case: cst.MatchCase, value: Value, node: cst.CSTNode
) -> bool | None:
    outcome = _match(it, case.pattern, value, node)
    if outcome is not False and case.guard is not None:
        decided = it.condition(case.guard, Branch, construct="match")
        assume(it, case.guard, True)
        return None if decided is not True else outcome
    return outcome


def _match(
    it: Interpreter, pattern: cst.MatchPattern, value: Value, node: cst.CSTNode
) -> bool | None:
    """Match one pattern, binding its names: True, False or None for not known."""
    outcome: bool | None = _PATTERNS[type(pattern)](it, pattern, value, node)
    return outcome


@_PATTERNS.of(cst.MatchValue)
def _value(
    it: Interpreter, pattern: cst.MatchValue, value: Value, node: cst.CSTNode
) -> bool | None:
    constant = it.ev(pattern.value)
    result = compare(it, cst.Equal, value, constant, pattern)
    return it.truth(result, pattern, Branch, construct="match", operand=node)


@_PATTERNS.of(cst.MatchSingleton)
def _singleton(
    it: Interpreter, pattern: cst.MatchSingleton, value: Value, node: cst.CSTNode
) -> bool | None:
    constant = it.ev(pattern.value)
    if isinstance(value, Const):
        return value == constant
    certain = isinstance(value, (Array, Tuple)) if constant == NONE else isinstance(value, Array)
    return False if certain else None


@_PATTERNS.of(cst.MatchAs)
def _capture(it: Interpreter, pattern: cst.MatchAs, value: Value, node: cst.CSTNode) -> bool | None:
    outcome = True if pattern.pattern is None else _match(it, pattern.pattern, value, node)
    if pattern.name is not None and outcome is not False:
        bind(it, pattern.name.value, value)
    return outcome


@_PATTERNS.of(cst.MatchOr)
def _alternatives(
    it: Interpreter, pattern: cst.MatchOr, value: Value, node: cst.CSTNode
) -> bool | None:
    outcomes: list[bool | None] = []
    for alternative in pattern.patterns:
        it.reported = False
        outcomes.append(_match(it, alternative.pattern, value, node))
        if it.reported:
            # It raises at the first alternative that asks a traced value.
            return None
    if True in outcomes:
        return True
    return None if None in outcomes else False


@_PATTERNS.of(cst.MatchClass)
def _instance(
    it: Interpreter, pattern: cst.MatchClass, value: Value, node: cst.CSTNode
) -> bool | None:
    types = it.ev(pattern.cls)
    outcome = type_test(it, value, types)
    if outcome is False:
        return False
    inner = narrow_type(it, value, types, True)
    for element in pattern.patterns:
        whole = inner if isinstance(inner, (Const, Static)) else UNKNOWN
        _match(it, element.value, whole, node)
    for keyword in pattern.kwds:
        attribute = it.attribute(inner, keyword.key.value, node)
        if _match(it, keyword.pattern, attribute, node) is False:
            return False
    return None if pattern.patterns or pattern.kwds else outcome


@_PATTERNS.of(cst.MatchMapping)
def _mapping(
    it: Interpreter, pattern: cst.MatchMapping, value: Value, node: cst.CSTNode
) -> bool | None:
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


@_PATTERNS.of(cst.MatchList, cst.MatchTuple)
def _sequence(
    it: Interpreter, pattern: cst.MatchSequence, value: Value, node: cst.CSTNode
) -> bool | None:
    if isinstance(value, (Array, Const)):
        # A tracer is no Sequence: the pattern silently does not match.
        return False
    element, items = it.iterate(value, node)
    parts = pattern.patterns
    star = next((i for i, p in enumerate(parts) if isinstance(p, cst.MatchStar)), None)
    if items is not None and (
        len(items) != len(parts) if star is None else len(items) < len(parts) - 1
    ):
        return False
    outcome: bool | None = None if items is None else True
    for index, part in enumerate(parts):
        if isinstance(part, cst.MatchStar):
            if part.name is not None:
                after = len(parts) - index - 1
                middle = None if items is None else tuple(items[index : len(items) - after])
                bind(it, part.name.value, it.allocate(part, ListObject(middle, element)))
            continue
        item = element
        if items is not None:
            item = items[index if star is None or index < star else index - len(parts)]
        inner = _match(it, part.value, item, node)
        if inner is False:
            return False
        outcome = None if inner is None else outcome
    return outcome
