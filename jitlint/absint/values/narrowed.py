"""What is left of a value on the paths on which a test has come out one way."""

from __future__ import annotations

from jitlint.absint.values.base import Told
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Flag,
    Static,
    Tree,
    Union,
    Value,
    known_bool,
    members_of,
)
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.told import counts_as, is_none_of, shown, with_told


def by_truth(value: Value, truth: bool) -> Value:
    """A value that counts as true, or as false."""
    value = alternatives(value, truth)
    if isinstance(value, Static) and value.type == "bool":
        return Const(truth, shown=True)
    return counts_as(value, truth)


def alternatives(value: Value, truth: bool) -> Value:
    """The alternatives of a value that may count as true, or as false."""
    if not isinstance(value, Union):
        return value
    possible = [member for member in value.members if known_bool(member) is not (not truth)]
    return join_all(possible, default=value)


def by_told(value: Value, told: Told | None) -> Value:
    """What is left of a value that other sources tell of, where tests have shown this of it."""
    if told is None:
        return value
    possible = [
        member
        for member in members_of(value)
        if member not in told.never and _may_count(member, told.counts)
    ]
    return join_all((with_told(member, told) for member in possible), default=value)


def keyed(value: Value) -> Value:
    """A pytree in which somebody looks for a text: a dict."""
    if isinstance(value, Tree) and not value.keyed:
        return value.replace(container=True, keyed=True, buffers=value.buffers)
    return value


def by_none(value: Value, is_none: bool) -> Value:
    """A value that is None, or is not."""
    if is_none:
        if isinstance(value, Union):
            possible = any(m == NONE or _may_be_none(m) for m in value.members)
            return shown(NONE) if possible else value
        return shown(NONE) if _may_be_none(value) else value
    if isinstance(value, Union):
        return join_all((m for m in value.members if m != NONE), default=value)
    return is_none_of(value, [NONE])


def _may_be_none(value: Value) -> bool:
    return (
        value == UNKNOWN
        or isinstance(value, Tree)
        or (isinstance(value, Static) and value.type is None)
    )


def by_constant(value: Value, constant: Value, is_equal: bool) -> Value:
    """A value that is equal to a constant, or is not."""
    if not is_equal:
        return is_none_of(value, [constant])
    for member in members_of(value):
        if type(member) is Flag:
            return value
        if isinstance(member, Static) or member in (UNKNOWN, constant):
            return shown(constant)
    return value


def no_bare_array(value: Value) -> Value:
    """A pytree of which a question has shown that it is not one array."""
    if isinstance(value, Tree) and not value.container:
        return value.replace(container=True, buffers=value.buffers)
    return value


def no_array(value: Value) -> Value:
    """A value that lacks what every array has; of a pytree that may be one nothing is known."""
    if isinstance(value, Union):
        others = (member for member in value.members if not isinstance(member, Array))
        return join_all(map(no_array, others), default=value)
    return UNKNOWN if isinstance(value, Tree) and not value.container else value


def no_tracer(value: Value) -> Value:
    """A value that is no tracer: of one that seemed to be one nothing is known."""
    return UNKNOWN if isinstance(value, (Array, Tree)) else value


def by_callable(value: Value, truth: bool) -> Value:
    """A value that can be called, or cannot."""
    if not isinstance(value, Union):
        return value
    data = (Array, Const, Static, Tree)
    possible = [m for m in value.members if isinstance(m, data) is not truth or m == UNKNOWN]
    return join_all(possible, default=value)


def _may_count(value: Value, truth: bool | None) -> bool:
    return truth is None or known_bool(value) is not (not truth)
