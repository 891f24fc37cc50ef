"""Settings: the constants by which programs choose, as tests name them."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import FALSE, TRUE, Const, EnumMember, Value
from jitlint.absint.values.told import is_apart, told_of

_LITERALS = (cst.SimpleString, cst.ConcatenatedString, cst.Integer)
_DISPLAYS = (cst.List, cst.Set, cst.Tuple)


def setting_of(it: Interpreter, node: cst.BaseExpression) -> Value | None:
    """The constant that an expression without effects names: a text, a member, a number."""
    if not isinstance(node, (*_LITERALS, cst.Attribute, cst.Name)):
        return None
    with it.speculating():
        value = it.ev(node)
    if isinstance(value, EnumMember):
        return value
    known = isinstance(value, Const) and isinstance(value.value, (bool, int, str))
    return value if known else None


def settings_of(it: Interpreter, node: cst.BaseExpression) -> Sequence[Value]:
    """The constants that a display lists, none if it holds anything else."""
    if not isinstance(node, _DISPLAYS):
        return ()
    found = [setting_of(it, element.value) for element in node.elements]
    return () if None in found else [value for value in found if value is not None]


def shown_apart(left: Value, right: Value) -> bool:
    """Whether tests of one of two values have shown that it is not equal to the other."""
    return any(
        isinstance(other, (Const, EnumMember)) and is_apart(mine, other)
        for mine, other in ((left, right), (right, left))
    )


def shown_within(it: Interpreter, value: Value, node: cst.BaseExpression) -> Value | None:
    """Whether a value is one of those that a display lists, as far as tests of it have told."""
    told = told_of(value)
    listed = settings_of(it, node) if told is not None else ()
    if told is None or not listed:
        return None
    if told.among is not None and told.among <= {*listed}:
        return TRUE
    return FALSE if all(is_apart(value, one) for one in listed) else None
