"""What tests tell of values of which little else is known: settings, by which programs choose.

``if mode != "numpy":`` says what ``mode`` is not, and ``if config.backend in ("a", "b"):`` what an
attribute is.  The value carries that to whatever it is handed to, so that the same question is
answered there in the same way.  Paths that meet forget it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from jitlint.absint.values.base import Told
from jitlint.absint.values.domain import (
    UNKNOWN,
    Const,
    EnumMember,
    Static,
    Tuple,
    Unknown,
    Value,
)

_NOTHING = Told()


def told_of(value: Value | None) -> Told | None:
    """What tests have shown of a value."""
    return value.told if isinstance(value, (Unknown, Static)) else None


def with_told(value: Value, told: Told | None) -> Value:
    """A value of which tests have shown this; the same one if it is known better."""
    if told == told_of(value) or not _may_be_told(value):
        return value
    if told is not None and told.among is not None and len(told.among) == 1:
        return shown(next(iter(told.among)))
    if isinstance(value, Unknown):
        return Unknown(given=value.given, buffers=value.buffers, told=told)
    assert isinstance(value, Static)
    return value.of_told(told)


def shown(value: Value) -> Value:
    """A constant that a test has shown a value to be."""
    if isinstance(value, Const):
        return Const(value.value, value.flag, shown=True)
    return value.of_told(_NOTHING) if isinstance(value, EnumMember) else value


def is_shown(value: Value | None) -> bool:
    """Whether tests have shown something of a value."""
    return value.shown if isinstance(value, Const) else told_of(value) is not None


def holds(value: Value | None, shown: Value) -> bool:
    """Whether what tests have shown of one value is known to be so of another."""
    told = told_of(shown)
    if isinstance(shown, (Const, EnumMember)) or told is None:
        return value == shown
    if not isinstance(value, (Const, EnumMember)):
        return told_of(value) == told
    among = told.among is None or value in told.among
    counts = told.counts is None or (isinstance(value, Const) and bool(value.value) is told.counts)
    plain = not (told.attributes or told.kinds or told.keys)
    return value not in told.never and among and counts and plain


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


def of_kind(value: Value, types: Value, is_instance: bool) -> Value:
    """A value that is an instance of one of some classes, or of none."""
    if type(value) is not Unknown:
        return value
    told = value.told or _NOTHING
    classes = types.items if isinstance(types, Tuple) and not is_instance else (types,)
    kinds = told.kinds | {(cls, is_instance) for cls in classes}
    return with_told(value, replace(told, kinds=kinds))


def is_of_kind(value: Value, types: Value) -> bool | None:
    """Whether a value is an instance of one of some classes, None if tests have not shown that."""
    told = told_of(value)
    if told is None or not told.kinds:
        return None
    classes = types.items if isinstance(types, Tuple) else (types,)
    if any((cls, True) in told.kinds for cls in (types, *classes)):
        return True
    return False if all((cls, False) in told.kinds for cls in classes) else None


def with_key(value: Value, key: Value, is_there: bool) -> Value:
    """A value that holds a key, or does not."""
    if type(value) is not Unknown:
        return value
    told = value.told or _NOTHING
    keys = (told.keys - {(key, not is_there)}) | {(key, is_there)}
    return with_told(value, replace(told, keys=keys))


def has_key(value: Value, key: Value) -> bool | None:
    """Whether a value holds a key, None if nothing has shown that."""
    told = told_of(value)
    if told is None:
        return None
    return True if (key, True) in told.keys else False if (key, False) in told.keys else None


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
    of_it = Told(among=frozenset([after])) if known else told_of(after)
    told = value.told or _NOTHING
    attributes = {key: of for key, of in told.attributes if key != name}
    if of_it is not None:
        attributes[name] = of_it
    return with_told(value, replace(told, attributes=tuple(sorted(attributes.items(), key=_name))))


def _name(item: tuple[str, Told]) -> str:
    return item[0]


def is_apart(value: Value, constant: Value) -> bool:
    """Whether tests have shown that a value is not equal to a constant."""
    told = told_of(value)
    if told is None:
        return False
    among = told.among
    return constant in told.never or (
        among is not None and all(_differ(one, constant) for one in among)
    )


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
        left.kinds & right.kinds,
        left.keys & right.keys,
    )
    return None if told == _NOTHING else told


#: what variables of frames and attributes of objects hold, by these and their names
Settings = dict[tuple[int, str], Value]


class Circumstances(Struct, frozen=True):
    """What tests had shown where a function was transformed: it holds wherever that is called.

    Args:
      flags: how flags of objects come out.
      settings: what they had shown of values that the function works with.
    """

    flags: dict[str, bool]
    settings: Settings
