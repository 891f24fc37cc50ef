"""What tests tell of values of which little else is known: settings, by which programs choose.

``if mode != "numpy":`` says what ``mode`` is not, and ``if config.backend in ("a", "b"):`` what an
attribute is.  The value carries that to whatever it is handed to, so that the same question is
answered there in the same way.  Paths that meet forget it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from jitlint.absint.values.base import Told
from jitlint.absint.values.domain import UNKNOWN, Const, EnumMember, Static, Unknown, Value

_NOTHING = Told()


def told_of(value: Value) -> Told | None:
    """What tests have shown of a value."""
    return value.told if isinstance(value, (Unknown, Static)) else None


def with_told(value: Value, told: Told | None) -> Value:
    """A value of which tests have shown this; the same one if it is known better."""
    if told == told_of(value) or not _may_be_told(value):
        return value
    if told is not None and told.among is not None and len(told.among) == 1:
        return next(iter(told.among))
    if isinstance(value, Unknown):
        return Unknown(given=value.given, buffers=value.buffers, told=told)
    assert isinstance(value, Static)
    return value.of_told(told)


def _may_be_told(value: Value) -> bool:
    return isinstance(value, Unknown) or type(value) is Static


def is_none_of(value: Value, constants: Iterable[Value]) -> Value:
    """A value that is equal to none of some constants."""
    told = told_of(value) or _NOTHING
    never = told.never | frozenset(constants)
    among = None if told.among is None else told.among - never
    return with_told(value, replace(told, never=never, among=among or None))


def is_one_of(value: Value, constants: Iterable[Value]) -> Value:
    """A value that is equal to one of some constants."""
    told = told_of(value) or _NOTHING
    among = frozenset(constants) - told.never
    both = among if told.among is None else told.among & among
    return with_told(value, replace(told, among=both or among or None))


def counts_as(value: Value, truth: bool) -> Value:
    """A value that counts as true, or as false."""
    return with_told(value, replace(told_of(value) or _NOTHING, counts=truth))


def attribute_told(value: Value, name: str) -> Value:
    """An attribute of a value of which only tests may have told something."""
    told = told_of(value)
    return UNKNOWN if told is None else with_told(UNKNOWN, dict(told.attributes).get(name))


def with_attribute_told(value: Value, name: str, change: Callable[[Value], Value]) -> Value:
    """A value of whose attribute a test tells something."""
    before = attribute_told(value, name)
    after = change(before)
    if after is before or type(value) is not Unknown:
        return value
    known = isinstance(after, (Const, EnumMember))
    shown = Told(among=frozenset([after])) if known else told_of(after)
    told = value.told or _NOTHING
    attributes = {key: of for key, of in told.attributes if key != name}
    if shown is not None:
        attributes[name] = shown
    return with_told(value, replace(told, attributes=tuple(sorted(attributes.items(), key=_name))))


def _name(item: tuple[str, Told]) -> str:
    return item[0]


def equals(value: Value, constant: Value) -> bool | None:
    """Whether a value is equal to a constant, None if tests have not shown that."""
    told = told_of(value)
    if told is None:
        return None
    if constant in told.never:
        return False
    apart = told.among is not None and all(_differ(one, constant) for one in told.among)
    return False if apart else None


def _differ(left: Value, right: Value) -> bool:
    return isinstance(left, Const) and isinstance(right, Const) and left.value != right.value


def in_common(left: Told | None, right: Told | None) -> Told | None:
    """What tests have shown on both of two paths."""
    if left is None or right is None or left == right:
        return left if left == right else None
    theirs = dict(right.attributes)
    shared = ((name, in_common(told, theirs.get(name))) for name, told in left.attributes)
    told = Told(
        left.never & right.never,
        None if left.among is None or right.among is None else left.among | right.among,
        left.counts if left.counts is right.counts else None,
        tuple((name, both) for name, both in shared if both is not None),
    )
    return None if told == _NOTHING else told
