"""Static choices between a tracer and something static: the way of the tracer is followed.

``reg = penalty(w) if use_penalty else 0.0`` and ``if reg > 0:`` fails wherever the penalty is used,
unless other code depends on the same test; see :mod:`jitlint.absint.code.correlations`.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.correlations import stands_alone
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    NONE,
    Array,
    Const,
    Level,
    Static,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import State, Variables


def follow_tracers(
    it: Interpreter, node: cst.If, then: State | None, otherwise: State | None, merged: State
) -> None:
    """Let names that a statement gives a tracer or something static have the tracer.

    Args:
      it: the interpreter.
      node: the statement.
      then: the state after its body, None if that does not end.
      otherwise: the same after its other branches.
      merged: both joined, which is changed.
    """
    code, env = it.frame.code, it.frame.env
    if then is None or otherwise is None or code is None or not it.frame.context.staging:
        return
    mine, other = then.get(env), otherwise.get(env)
    if mine is other or not isinstance(mine, Variables) or not isinstance(other, Variables):
        return
    several = type(node.orelse) is cst.If
    for name, value in merged.get(env).items():
        if type(value) is not Union:
            continue
        sides = (mine.get(name), other.get(name))
        if None in sides or sides[0] is sides[1] or type(sides[0]) is Union:
            continue
        if type(sides[1]) is Union and not several:
            continue
        tracer = _tracer_or_static(value)
        if tracer is not None and it.frame.parsed.fact(stands_alone, (code, node, name)):
            merged.edit(env)[name] = tracer


def chosen(it: Interpreter, node: cst.IfExp, value: Value) -> Value:
    """The value of a conditional expression: the tracer, where it is that or static."""
    code = it.frame.code
    if type(value) is not Union or code is None or not it.frame.context.staging:
        return value
    tracer = _tracer_or_static(value)
    if tracer is None or not it.frame.parsed.fact(stands_alone, (code, node, None)):
        return value
    return tracer


def _tracer_or_static(value: Value) -> Array | None:
    """The tracer among alternatives that are static but for that."""
    found: Array | None = None
    for member in members_of(value):
        if isinstance(member, Array) and member.level is Level.ABSTRACT:
            found = member
        elif member == NONE or not isinstance(member, (Const, Static)):
            return None
    return found
