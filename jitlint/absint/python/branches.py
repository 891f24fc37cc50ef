"""``if`` statements: what each branch knows, and what is known where they meet."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.events import Branch
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import executes
from jitlint.absint.python.narrowing import assuming
from jitlint.absint.python.static_choices import follow_tracers
from jitlint.absint.values.heap import State
from jitlint.absint.values.lattice import join_states


@executes(cst.If)
def _if(it: Interpreter, node: cst.If) -> None:
    word = "elif" if ("elif", id(node)) in it.syntax else "if"
    truth = it.condition(node.test, Branch, construct=word)
    then = None if truth is False else assuming(it, node.test, True)
    otherwise = None if truth is True else assuming(it, node.test, False)
    if then is not None:
        then = it.run_from(then, node.body.body)
    if otherwise is not None:
        otherwise = _run_else(it, otherwise, node)
    merged = join_states(then, otherwise)
    if merged is None:
        raise Terminated
    follow_tracers(it, node, then, otherwise, merged)
    it.state = merged


def _run_else(it: Interpreter, state: State, node: cst.If) -> State | None:
    if node.orelse is None:
        return state
    if type(node.orelse) is cst.If:
        it.syntax.setdefault(("elif", id(node.orelse)), node.orelse)
        return it.run_from(state, [node.orelse])
    return it.run_from(state, node.orelse.body.body)
