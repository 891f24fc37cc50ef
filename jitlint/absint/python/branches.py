"""``if`` statements: what each branch knows, and what is known where they meet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from operator import is_not

import libcst as cst

from jitlint.absint.code.conditions import filled_key
from jitlint.absint.code.keeping import filled_ways, fills_attribute
from jitlint.absint.code.syntax import children, walk_own
from jitlint.absint.events import Branch
from jitlint.absint.machine.frames import Ending, Exits, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.machine.verbs import executes
from jitlint.absint.objects.flagged_choices import keep_chosen
from jitlint.absint.operations.types import is_far_fetched
from jitlint.absint.program.scopes import CONSTANTS
from jitlint.absint.python.narrowing import assuming
from jitlint.absint.python.static_choices import follow_tracers
from jitlint.absint.values.domain import CHANGES, UNKNOWN, Const, Tuple
from jitlint.absint.values.heap import EAGER, FILLING, REHEARSED, State
from jitlint.absint.values.lattice import join_states


@executes(cst.If)
def _if(it: Interpreter, node: cst.If) -> None:
    word = "elif" if ("elif", id(node)) in it.syntax else "if"
    calls_left_out = it.short_of_budget
    truth = it.condition(node.test, Branch, construct=word)
    if truth is not None or it.short_of_budget == calls_left_out:
        _branches(it, node, truth)
        return
    # What a budget has cost is no reason for a report: the test may always come out one way.
    with it.speculating():
        left = _branches(it, node, None)
    if left:
        it.doubt_the_rest()


def _branches(it: Interpreter, node: cst.If, truth: bool | None) -> bool:
    """Run what a test leaves to be run.

    Args:
      it: the interpreter.
      node: the statement.
      truth: how its test comes out, None if that is not known.

    Returns:
      Whether what follows runs only if the test comes out one way.
    """
    exits = it.frame.exits
    then = otherwise = None
    before = taken = it.operations
    filled: frozenset[bool] = frozenset()
    if truth is None and it.trace is not None and it.frame.code is not None:
        filled = it.frame.parsed.fact(filled_ways, (it.frame.code, node))
    if truth is not False:
        start = assuming(it, node.test, True)
        if REHEARSED in start.assumed and fills_attribute(node):
            start.assumed[EAGER] = True
        if True in filled:
            start.assumed[FILLING] = True
        with it.speculating() if truth is None and is_far_fetched(it, node.test) else nullcontext():
            then = it.run_from(start, node.body.body)
    if truth is not True:
        taken, it.operations = it.operations, before
        start = assuming(it, node.test, False)
        if False in filled:
            start.assumed[FILLING] = True
        if EAGER in start.assumed and EAGER not in it.state.assumed and _raises(node):
            # `if isinstance(mask, Tracer): raise`: all else may be traced.
            start.assumed[EAGER] = False
        otherwise = _run_else(it, start, node)
        if truth is None:
            it.operations = min(taken, it.operations)
    merged = join_states(then, otherwise)
    if merged is None and truth is not None and doubts(it, node.test, exits):
        other = assuming(it, node.test, not truth)
        merged = _run_else(it, other, node) if truth else it.run_from(other, node.body.body)
    if merged is None:
        raise Terminated
    follow_tracers(it, node, then, otherwise, merged)
    keep_chosen(it, node, then, otherwise, merged)
    it.state = merged
    if it.frame.code is not None:
        it.state.assumed.update(it.frame.parsed.fact(filled_key, (it.frame.code, node)))
    return then is None or otherwise is None


def _raises(node: cst.If) -> bool:
    """Whether a branch does nothing but raise an error."""
    line = node.body.body[0] if len(node.body.body) == 1 else None
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Raise)


def _run_else(it: Interpreter, state: State, node: cst.If) -> State | None:
    if node.orelse is None:
        return state
    if type(node.orelse) is cst.If:
        it.syntax.setdefault(("elif", id(node.orelse)), node.orelse)
        return it.run_from(state, [node.orelse])
    return it.run_from(state, node.orelse.body.body)


def doubts(it: Interpreter, test: cst.BaseExpression, exits: Exits) -> bool:
    """Whether to go on where all paths ended because a test came out as it did.

    How tests of tracers come out is known for sure.  All else may be otherwise when the code runs:
    what modules hold then, what callers pass for a default, what is registered.  What a function
    was called with is for its caller to doubt; a starting point has none.

    Args:
      it: the interpreter.
      test: the test.
      exits: how paths had left the block before.
    """
    frame = it.frame
    if frame.ending is Ending.TRACED or any(map(is_not, frame.exits, exits)):
        return False
    frame.ending = None
    parts = [*_parts(test)]
    changing = frame.is_root and it.trace is None and bool(parts)
    with it.speculating(), it.branch(it.state.copy()):
        for value in map(it.ev, parts):
            if find_traced(it, value) is not None:
                frame.ending = Ending.TRACED
                return False
            changing = changing or (isinstance(value, Const) and value.flag == CHANGES)
    if changing:
        variables = it.variables(frame.env)
        for node in walk_own(test):
            if type(node) is cst.Name and isinstance(variables.get(node.value), (Const, Tuple)):
                variables[node.value] = UNKNOWN
    return changing


def _parts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The names, attributes and calls that a test asks."""
    stack: list[cst.CSTNode] = [test]
    while stack:
        node = stack.pop()
        if isinstance(node, (cst.Attribute, cst.Call, cst.Subscript)) or (
            isinstance(node, cst.Name) and node.value not in CONSTANTS
        ):
            yield node
        if not isinstance(node, (cst.Attribute, cst.Subscript)):
            stack.extend(children(node))
