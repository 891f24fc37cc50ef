"""What several processes saw of jitted functions, put together before any of them judges.

Whether a jitted function is made again and again shows in the calls of the function around it,
which may lie in another process's share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jitlint.absint.compilation import Call
from jitlint.tracing.places import Name, PlaceNames

if TYPE_CHECKING:
    from jitlint.absint.code import Code
    from jitlint.absint.interpreter import Interpreter


@dataclass(frozen=True, slots=True)
class Caller:
    """A function of another process's share."""

    qualname: str


@dataclass(slots=True)
class SharedUses:
    """:class:`JitUses` with names in the place of identities.

    Args:
      makings: by place, what is made there and whether that is repeated.
      called_by: by place, the functions that call what is made; None is code of a module.
      kept: places whose result is kept.
      calls: by callee, caller and place: whether a loop is around the call.
      cached: functions under a cache.
      qualnames: of the callers.
    """

    makings: dict[Name, tuple[bool, str | None]] = field(default_factory=dict)
    called_by: dict[Name, set[Name | None]] = field(default_factory=dict)
    kept: set[Name] = field(default_factory=set)
    calls: dict[tuple[Name, Name | None, Name | None], bool] = field(default_factory=dict)
    cached: set[Name] = field(default_factory=set)
    qualnames: dict[Name, str] = field(default_factory=dict)

    def add(self, other: SharedUses) -> None:
        """Take in what another process saw."""
        for place, (repeated, made) in other.makings.items():
            known = self.makings.get(place, (False, None))
            self.makings[place] = (known[0] or repeated, known[1] or made)
        for place, callers in other.called_by.items():
            self.called_by.setdefault(place, set()).update(callers)
        self.kept |= other.kept
        for call, loop in other.calls.items():
            self.calls[call] = self.calls.get(call, False) or loop
        self.cached |= other.cached
        self.qualnames.update(other.qualnames)


def export(it: Interpreter, names: PlaceNames) -> SharedUses:
    """What this process saw."""
    uses = it.jits
    codes = {id(code): code for code in _codes(it)}
    places = {id(made.place.node): made.place for made in it.pending}
    places.update((key, making.place) for key, making in uses.makings.items())

    def code_name(number: int) -> Name | None:
        return names.of_code(codes[number]) if number in codes else None

    found = SharedUses()
    for key, making in uses.makings.items():
        found.makings[names.of_place(places[key])] = (making.repeated, making.made)
    for key, callers in uses.called_by.items():
        if key in places:
            found.called_by[names.of_place(places[key])] = {code_name(each) for each in callers}
    found.kept = {names.of_place(places[key]) for key in uses.kept if key in places}
    found.cached = {name for name in map(code_name, uses.cached) if name is not None}
    for (_, node), call in _all_calls(it):
        callee = names.of_code(call.callee)
        caller = None if call.caller is None else names.of_code(call.caller)
        if call.caller is not None:
            assert caller is not None
            found.qualnames[caller] = call.caller.qualname
        where = names.of_stray(node, _around(it, call))
        found.calls[callee, caller, where] = call.loop
    return found


def absorb(it: Interpreter, names: PlaceNames, every: SharedUses) -> None:
    """Add what all processes saw to what this one did."""
    uses = it.jits
    codes: dict[Name, Any] = {names.of_code(code): code for code in _codes(it)}
    places = {names.of_place(making.place): key for key, making in uses.makings.items()}
    for place, key in places.items():
        making = uses.makings[key]
        making.repeated, made = every.makings[place]
        making.made = making.made or made
        callers = every.called_by.get(place)
        if callers is not None:
            mine = uses.called_by.setdefault(key, set())
            mine.update(0 if name is None else id(codes.get(name, every)) for name in callers)
        if place in every.kept:
            uses.kept.add(key)
    uses.cached.update(id(codes[name]) for name in every.cached if name in codes)
    uses.calls.clear()
    for number, ((callee, caller, _), loop) in enumerate(every.calls.items()):
        if caller is not None and caller not in codes:
            codes[caller] = Caller(every.qualnames[caller])
        if callee not in codes:
            codes[callee] = Caller("")
        by = None if caller is None else codes[caller]
        place_key = (0 if by is None else id(by), number)
        uses.calls.setdefault(id(codes[callee]), {})[place_key] = Call(by, codes[callee], loop)
    it.keep(codes)


def _codes(it: Interpreter) -> list[Code]:
    """Every function that this process has met."""
    store = it.store
    found = {id(code): code for code in (*store._units.values(), *store._nested.values())}
    return list(found.values())


def _all_calls(it: Interpreter) -> Iterable[tuple[tuple[int, int], Call]]:
    for calls in it.jits.calls.values():
        yield from calls.items()


def _around(it: Interpreter, call: Call) -> Iterable[Any]:
    """The units in which a call may stand."""
    if call.caller is not None and call.caller.parsed is not None:
        return (call.caller.parsed,)
    return (parsed for parsed in it.store._parsed.values() if not parsed.unit.is_function)
