"""What the parameters of functions were seen to hold, for ``jitlint verify``.

Nothing is found out for it: the values are those that the interpreter runs the functions on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final

from jitlint import sketches
from jitlint.absint.code.functions import Code
from jitlint.absint.limits import SKETCHED_LEVELS, SKETCHED_PARTS, SKETCHES
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import FunctionEntered, observes
from jitlint.absint.modules.evidence import written_uses
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Class,
    Const,
    EnumMember,
    External,
    Function,
    Ref,
    Static,
    Tuple,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.sketches import Sketch

_SCALARS: Final = frozenset({"int", "float", "bool", "str"})
_ANY: Final = Sketch(sketches.ANY)
#: longer texts are data
_LONGEST_TEXT: Final = 80


@dataclass
class Sketches:
    """What was seen in a run.

    Args:
      found: for each function, what its parameters may be, in the order in which that was seen.
      used: what those are of which nothing was seen, as far as their uses tell.
    """

    found: dict[int, tuple[Code, dict[str, list[Sketch]]]] = field(default_factory=dict)
    used: dict[tuple[int, str], tuple[Sketch, ...]] = field(default_factory=dict)

    def fork(self) -> Sketches:
        """For an analysis that goes on from here: what it sees is put together with this later."""
        return Sketches()

    def of(self, counts: Callable[[Code], bool]) -> Sketches:
        """What was seen of some functions."""
        found = {key: seen for key, seen in self.found.items() if counts(seen[0])}
        return Sketches(found, {key: some for key, some in self.used.items() if key[0] in found})


def put_together(
    seen: Iterable[Sketches],
) -> list[tuple[Code, dict[str, tuple[Sketch, ...]]]]:
    """What was seen in several runs: each function once, with the parameters that are known."""
    found: dict[int, tuple[Code, dict[str, list[Sketch]]]] = {}
    used: dict[tuple[int, str], tuple[Sketch, ...]] = {}
    for some in seen:
        used |= some.used
        for key, (code, parameters) in some.found.items():
            _, known = found.setdefault(key, (code, {}))
            for name, sketched in parameters.items():
                known.setdefault(name, []).extend(sketched)
    whole = []
    for key, (code, parameters) in found.items():
        told = {
            name: tuple(dict.fromkeys(some)) or used.get((key, name), ())
            for name, some in parameters.items()
        }
        whole.append((code, {name: some for name, some in told.items() if some}))
    return [(code, told) for code, told in whole if told]


@observes(FunctionEntered)
def _entered(it: Interpreter, entered: FunctionEntered) -> None:
    code = entered.code
    noted = it.observations(Sketches)
    _, known = noted.found.setdefault(id(code), (code, {}))
    for parameter in code.parameters:
        listed = known.setdefault(parameter.name, [])
        several = parameter.kind in ("*", "**")
        value = UNKNOWN if several else entered.arguments.get(parameter.name, UNKNOWN)
        # What may be missing is so where a default says so, or a caller that nobody calls.
        for member in sorted(members_of(value), key=NONE.__eq__):
            made = _sketch(it, member, SKETCHED_LEVELS)
            if made.tells and made not in listed and len(listed) < SKETCHES:
                listed.append(made)
        if not listed and (id(code), parameter.name) not in noted.used:
            noted.used[id(code), parameter.name] = (*_by_use(written_uses(it, code, parameter)),)


def _by_use(uses: Set[str]) -> Iterator[Sketch]:
    """What the uses of a parameter tell of it."""
    signs = {sign: sorted(use[1:] for use in uses if use.startswith(sign)) for sign in ".[="}
    for text in signs["="][:SKETCHES]:
        yield Sketch(sketches.CONSTANT, value=text)
    if signs["["]:
        yield Sketch(sketches.MAPPING, parts=tuple((key, _ANY) for key in signs["["]))
    if "called" in uses and not signs["."]:
        yield Sketch(sketches.CALLABLE)
    if "next" in uses:
        yield Sketch(sketches.ITERATOR)
    if "range" in uses:
        yield Sketch(sketches.SCALAR, "int")


def _sketch(it: Interpreter, value: Value, depth: int) -> Sketch:
    if isinstance(value, Array):
        return _array(value)
    if isinstance(value, Const):
        return _constant(value)
    if isinstance(value, EnumMember):
        return Sketch(sketches.NAMED, value.name)
    if isinstance(value, Static):
        if value.type == "ndarray":
            shape = None if value.extent is None else value.extent.shape
            return Sketch(sketches.ARRAY, shape=shape)
        return Sketch(sketches.SCALAR, value.type) if value.type in _SCALARS else _ANY
    if isinstance(value, Function):
        unit = value.code.unit
        plain = unit.is_function and unit.cls is None and value.code.qualname == unit.name
        name = f"{value.code.module.name}.{value.code.qualname}"
        return Sketch(sketches.NAMED, name) if plain else _ANY
    if isinstance(value, Class):
        return Sketch(sketches.NAMED, _class_name(value))
    if isinstance(value, External):
        return Sketch(sketches.NAMED, value.name)
    return _compound(it, value, depth) if depth else _ANY


def _array(value: Array) -> Sketch:
    if value.extent is not None:
        return Sketch(sketches.ARRAY, value.dtype or "", value.extent.shape)
    shape = None if value.rank is None else (None,) * value.rank
    return Sketch(sketches.ARRAY, value.dtype or "", shape)


def _constant(value: Const) -> Sketch:
    known = value.value
    if isinstance(known, str) and len(known) > _LONGEST_TEXT:
        return Sketch(sketches.SCALAR, "str")
    plain = known is None or isinstance(known, (bool, int, float, str))
    return Sketch(sketches.CONSTANT, value=known) if plain else _ANY


def _compound(it: Interpreter, value: Value, depth: int) -> Sketch:
    """A container or an object; one that holds too much is of no use as an example."""

    def one(part: Value) -> Sketch:
        # Of several possible values the one that says most about the rest.
        members = [_sketch(it, m, depth - 1) for m in members_of(part) if m != NONE] or [
            _sketch(it, part, depth - 1)
        ]
        return next((member for member in members if member.tells), members[0])

    def parts(values: Mapping[Any, Value]) -> tuple[tuple[str | int, Sketch], ...]:
        return tuple((key, one(part)) for key, part in values.items())

    if isinstance(value, Tuple):
        if value.cls is None and len(value.items) <= SKETCHED_PARTS:
            return Sketch(sketches.TUPLE, parts=parts(dict(enumerate(value.items))))
        fields = class_info(it, value.cls).fields if isinstance(value.cls, Class) else ()
        if not isinstance(value.cls, Class) or len(fields) != len(value.items):
            return _ANY
        named = zip((field.name for field in fields), value.items, strict=True)
        return Sketch(sketches.OBJECT, _class_name(value.cls), parts=parts(dict(named)))
    # Not as code looks at it: what is asked here is no part of the program.
    contents = it.state.get(value.id) if isinstance(value, Ref) else None
    if isinstance(contents, ListObject) and not contents.iterator:
        kind = sketches.LIST if contents.mutable else sketches.TUPLE
        # Two stand for a list of unknown length.
        items = (contents.element,) * 2 if contents.items is None else contents.items
        return Sketch(kind, parts=parts(dict(enumerate(items[:SKETCHED_PARTS]))))
    if isinstance(contents, DictObject):
        known = {key: part for key, part in contents.items.items() if isinstance(key, (str, int))}
        if len(known) == len(contents.items) <= SKETCHED_PARTS:
            rest = {"a": contents.rest} if contents.rest is not None and not known else {}
            return Sketch(sketches.MAPPING, parts=parts(known or rest))
    if isinstance(contents, Instance) and len(contents.attributes) <= SKETCHED_PARTS:
        held = parts(contents.attributes)
        return Sketch(sketches.OBJECT, _class_name(contents.cls), parts=held)
    return _ANY


def _class_name(cls: Class) -> str:
    return f"{cls.module.name}.{cls.definition.qualname}"
