"""Truth: what conditions ask of values, and the operators that ask it."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from jitlint.absint.code.conditions import outcome
from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import BooleanOperation, Branch, Event
from jitlint.absint.machine.always import facts_of_names, facts_of_operands
from jitlint.absint.machine.clock_signals import Asked
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.machine.verbs import evaluates, truth_of, verb
from jitlint.absint.objects.flagged_choices import chosen_by_flag
from jitlint.absint.operations.comparison import comparison
from jitlint.absint.operations.iteration import may_be_filled
from jitlint.absint.program.special_methods import call_special
from jitlint.absint.python.narrowing import assumed
from jitlint.absint.python.static_choices import chosen
from jitlint.absint.values.domain import (
    BOOL,
    FALSE,
    TRUE,
    UNKNOWN,
    Array,
    Certainty,
    Const,
    Flag,
    Level,
    Ref,
    Static,
    Tree,
    Union,
    Unknown,
    Value,
    known_bool,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all
from jitlint.absint.values.narrowed import by_truth
from jitlint.jaxmodel.concretization import BOOL_ERRORS, INDEX_ERRORS


@verb("condition")
def _condition(
    it: Interpreter, test: cst.BaseExpression, event: type[Event], **details: Any
) -> bool | None:
    """Evaluate a condition; report by ``event`` where Python asks a traced value for its truth."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        inner = it.condition(test.expression, event, **details)
        return None if inner is None else not inner
    if type(test) is cst.BooleanOperation:
        stop = type(test.operator) is cst.Or
        it.reported = False
        left = it.condition(test.left, event, **details)
        if left is stop:
            return stop
        if it.reported:
            # One report a condition: the rest is evaluated, but not asked for its truth.
            with assumed(it, test.left, not stop):
                it.ev(test.right)
            it.reported = True
            return None
        with assumed(it, test.left, not stop):
            right = it.condition(test.right, event, **details)
        if right is stop and left is not None:
            return stop
        if left is (not stop) and right is (not stop):
            return not stop
        return stop if right is stop else None
    if type(test) is cst.Comparison and len(test.comparisons) > 1:
        return it.truth(comparison(it, test, event, details), test, event, **details)
    decided = it.truth(it.ev(test), test, event, **details)
    if decided is None and it.trace is not None and _asks_for_no_elements(it, test):
        return False
    if decided is None and it.state.assumed:
        return outcome(test, it.state.assumed)
    return decided


def _asks_for_no_elements(it: Interpreter, test: cst.BaseExpression) -> bool:
    """Whether a test asks if a traced array is empty: ``x.size == 0``, ``len(x) == 0``.

    Nobody compiles a function for such arrays alone, and no others go the way that these go.
    """
    if type(test) is not cst.Comparison or len(test.comparisons) != 1:
        return False
    target = test.comparisons[0]
    if type(target.operator) is not cst.Equal or type(target.comparator) is not cst.Integer:
        return False
    asked: cst.BaseExpression | None = None
    if type(test.left) is cst.Attribute and test.left.attr.value == "size":
        asked = test.left.value
    elif type(test.left) is cst.Call and dotted(test.left.func) == "len" and test.left.args:
        asked = test.left.args[0].value
    if asked is None or target.comparator.value != "0" or type(asked) is not cst.Name:
        return False
    with it.speculating():
        value = it.ev(asked)
    return isinstance(value, Array) and value.level is Level.ABSTRACT and value.extent is None


# -- values ---------------------------------------------------------------------------------------

_Details = dict[str, Any]
#: what may do more than compute something
_ACTING: Final = (cst.Call, cst.NamedExpr, cst.Await, cst.Yield, cst.BaseComp, cst.Lambda)


@truth_of(object, Value)
def _value(
    it: Interpreter, value: Value, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    return known_bool(value)


@truth_of(Unknown, Tree)
def _anything(
    it: Interpreter, value: Value, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    """It may be an array, whose truth Python waits for."""
    if it.trace is None:
        it.signal(Asked((value,), (node,)))
    return known_bool(value)


@truth_of(Flag)
def _flag(
    it: Interpreter, value: Flag, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    return it.state.assumed.get(value.name)


@truth_of(Array, Union)
def _array(
    it: Interpreter, value: Value, node: cst.CSTNode, event: type[Event], details: _Details
) -> None:
    if it.trace is None:
        it.signal(Asked((value,), (node,)))
    traced = sure_array(value)
    if traced is None and type(node) is cst.Call:
        traced = _answer(value)
    if traced is not None:
        if event is Branch:
            # What the branches choose between may be arrays or whole trees.
            details = {**details, "always": facts_of_names(it.contents(it.frame.env) or {})}
        it.emit(event, node, traced, exceptions=BOOL_ERRORS, **details)


def _answer(value: Value) -> Array | None:
    """The traced answer of a function that gives some calls True or False early.

    ``if x.ndim != 2: return False`` says nothing of those that come to its end.
    """
    others = [member for member in members_of(value) if not _is_bool(member)]
    traced = sure_array(join_all(others))
    sure = traced is not None and traced.dtype == "bool" and traced.certainty is Certainty.SURE
    return traced if sure else None


def _is_bool(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) is bool


@truth_of(ListObject)
def _list(
    it: Interpreter, value: Ref, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    items = it.contents(value).items
    return None if items is None else bool(items)


@truth_of(DictObject)
def _dict(
    it: Interpreter, value: Ref, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    contents = it.contents(value)
    if not contents.items and contents.rest is None:
        return False
    return contents.filled or None


@truth_of(SetObject)
def _set(
    it: Interpreter, value: Ref, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    filled: bool | None = it.contents(value).filled
    return None if may_be_filled(it, value) else filled


@truth_of(Instance)
def _instance(
    it: Interpreter, value: Ref, node: cst.CSTNode, event: type[Event], details: _Details
) -> bool | None:
    """The truth of an object, which its class may define by ``__bool__`` or ``__len__``."""
    for name in ("__bool__", "__len__"):
        result = call_special(it, value, name, node)
        if result is None:
            continue
        traced = sure_array(result)
        if traced is not None:
            errors = ("TypeError",) if name == "__bool__" else INDEX_ERRORS
            it.emit(event, node, traced, exceptions=errors, **details)
            return None
        return known_bool(result)
    return None


# -- operators ------------------------------------------------------------------------------------


@evaluates(cst.BooleanOperation)
def _boolean(it: Interpreter, node: cst.BooleanOperation) -> Value:
    is_or = type(node.operator) is cst.Or
    left = _as_remembered(it, node.left, it.ev(node.left))
    details: _Details = {"operator": "or" if is_or else "and"}
    if sure_array(left) is not None:
        details["always"] = _facts(it, left, node.right)
    decided = it.truth(left, node.left, BooleanOperation, **details)
    if decided is is_or:
        return left
    with assumed(it, node.left, not is_or):
        try:
            right = _as_remembered(it, node.right, it.ev(node.right))
        except Terminated:
            return left
    if decided is (not is_or):
        return right
    if sure_array(left) is not None:
        return UNKNOWN
    if not is_or and right == FALSE and isinstance(left, (Union, Unknown)):
        # It counts as false, whichever of them it is.
        return FALSE
    return join(by_truth(left, is_or), right)


def _as_remembered(it: Interpreter, node: cst.BaseExpression, value: Value) -> Value:
    """An operand of which no more is known than that it counts as false."""
    if isinstance(value, (Union, Unknown)) and it.state.assumed:
        return FALSE if outcome(node, it.state.assumed) is False else value
    return value


def _facts(it: Interpreter, left: Value, right: cst.BaseExpression) -> frozenset[str]:
    """What is so of both operands, if it can be told before the right one is evaluated."""
    if it.is_speculating or any(isinstance(node, _ACTING) for node in walk(right)):
        return frozenset()
    with it.speculating():
        return facts_of_operands((left, it.ev(right)))


@evaluates(cst.IfExp)
def _conditional(it: Interpreter, node: cst.IfExp) -> Value:
    decided = it.condition(node.test, Branch, construct="conditional expression")
    results: list[Value] = []
    for truth, branch in ((True, node.body), (False, node.orelse)):
        if decided is (not truth):
            continue
        with assumed(it, node.test, truth):
            try:
                results.append(it.ev(branch))
            except Terminated:
                continue
    if not results:
        raise Terminated
    return chosen_by_flag(it, node, results, chosen(it, node, join_all(results)))


def negation(it: Interpreter, node: cst.UnaryOperation) -> Value:
    """``not value``."""
    value = it.ev(node.expression)
    always = facts_of_operands((value,))
    decided = it.truth(value, node.expression, BooleanOperation, operator="not", always=always)
    if decided is None:
        scalar = value.scalar if isinstance(value, Static) else None
        return BOOL if scalar is None else BOOL.of_rank(not scalar)
    return FALSE if decided else TRUE
