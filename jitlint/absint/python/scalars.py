"""What a branch may say where the code asked whether a tracer has dimensions.

``return float(x) if x.ndim == 0 else x``: numbers go one way and arrays the other.  Where nothing
is known of the dimensions of what was computed, the way of the numbers may be one that only runs
outside of traces.  What callers pass to a traced function may be a number there, too.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    Array,
    Certainty,
    Level,
    Static,
    Union,
    Value,
)
from jitlint.absint.values.heap import EAGER, Variables
from jitlint.absint.values.lattice import join_all

#: how code asks for the dimensions of an array
_ASKING: Final = frozenset({"ndim", "shape", "isscalar"})


def scalar_outcome(it: Interpreter, test: cst.BaseExpression) -> bool | None:
    """How a test comes out where what it asks is a scalar, None where it does not ask for that."""
    if it.trace is None:
        return None
    held = it.contents(it.frame.env) or {}
    if type(test) is cst.Name:
        return _scalar(held.get(test.value))
    words = it.written(_words, test)
    if _ASKING.isdisjoint(words) and all(_scalar(held.get(word)) is None for word in words):
        return None
    with it.speculating():
        return _scalar(it.ev(test))


def _scalar(value: Value | None) -> bool | None:
    return value.scalar if isinstance(value, Static) else None


def _words(test: cst.BaseExpression) -> frozenset[str]:
    """The names in a test, with those of attributes."""
    return frozenset(node.value for node in walk(test) if type(node) is cst.Name)


def take_for_scalars(it: Interpreter) -> list[tuple[int, str, Value]]:
    """Only guess that what the function holds is traced, but for what is known to be a scalar.

    Returns:
      The variables that changed, with what they were before.
    """
    it.state.assumed[EAGER] = True
    env = it.frame.env
    held = it.contents(env)
    if not isinstance(held, Variables):
        return []
    changed = []
    for name, value in [*held.items()]:
        guessed = _guessed(value)
        if guessed is not value:
            it.variables(env)[name] = guessed
            changed.append((env, name, value))
    return changed


def _guessed(value: Value) -> Value:
    if type(value) is Union:
        members = [_guessed(member) for member in value.members]
        return value if all(map(_same, members, value.members)) else join_all(members)
    if type(value) is not Array or value.level is Level.CONCRETE or value.rank is not None:
        return value
    if value.certainty is Certainty.GUESS:
        return value
    return value.replace(certainty=Certainty.GUESS, operand=value.operand, buffers=value.buffers)


def _same(left: Value, right: Value) -> bool:
    return left is right
