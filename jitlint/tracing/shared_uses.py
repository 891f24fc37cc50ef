"""What several processes saw of jitted functions, put together before any of them judges.

Whether a jitted function is made again and again shows in the calls of the function around it,
which may lie in another process's share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jitlint.absint.detectors.compilation import Call, JitUses
from jitlint.tracing.places import Name, PlaceNames

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.interpreter import Interpreter


@dataclass(frozen=True, slots=True)
class MakingFacts:
    """What else is known of a place that makes a jitted function.

    Args:
      looped: whether a loop is around it in the same function.
      guarded: whether it is reached only if nothing was made before.
      owner: the function whose code it is; None at module level.
      method: the name of that function, if it is a method of a class.
      qualname: its qualified name.
      in_test: whether it is code of a test.
      depends: the parameters of that function for which another argument needs another
        compilation.
    """

    looped: bool
    guarded: bool
    owner: Name | None
    method: str | None
    qualname: str
    in_test: bool
    depends: tuple[str, ...]


#: where a call is: the function around it (None: code of a module) and the place
Site = tuple[Name | None, Name | None]


class Seen(NamedTuple):
    """What is known of a call: see :class:`~jitlint.absint.detectors.compilation.Call`."""

    loop: bool
    in_test: bool
    alternative: bool
    varies: tuple[str, ...]

    def joined(self, other: Seen | None) -> Seen:
        """What two processes know of it, of which each may have met other calls."""
        if other is None:
            return self
        graver = self if self.loop else other
        return graver._replace(alternative=self.alternative or other.alternative)


@dataclass(frozen=True, slots=True, eq=False)
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
      calls: by callee, caller and place: what is known of the call.
      method_calls: the same by the name of a method.
      cached: functions under a cache.
      qualnames: of the callers.
      facts: by place, what else is known of what is made there.
    """

    makings: dict[Name, tuple[bool, str | None]] = field(default_factory=dict)
    called_by: dict[Name, set[Name | None]] = field(default_factory=dict)
    kept: set[Name] = field(default_factory=set)
    calls: dict[tuple[Name, Site], Seen] = field(default_factory=dict)
    method_calls: dict[tuple[str, Site], Seen] = field(default_factory=dict)
    cached: set[Name] = field(default_factory=set)
    qualnames: dict[Name, str] = field(default_factory=dict)
    facts: dict[Name, MakingFacts] = field(default_factory=dict)

    def add(self, other: SharedUses) -> None:
        """Take in what another process saw."""
        for place, (repeated, made) in other.makings.items():
            mine = self.makings.get(place, (False, None))
            self.makings[place] = (mine[0] or repeated, mine[1] or made)
        for place, callers in other.called_by.items():
            self.called_by.setdefault(place, set()).update(callers)
        self.kept |= other.kept
        for call, known in other.calls.items():
            self.calls[call] = known.joined(self.calls.get(call))
        for method, known in other.method_calls.items():
            self.method_calls[method] = known.joined(self.method_calls.get(method))
        self.cached |= other.cached
        self.qualnames.update(other.qualnames)
        for place, facts in other.facts.items():
            self.facts.setdefault(place, facts)


def export(it: Interpreter, names: PlaceNames) -> SharedUses:
    """What this process saw."""
    uses = it.observations(JitUses)
    uses.weigh()
    codes = {id(code): code for code in _codes(it)}
    places = {id(made.place.node): made.place for made in it.pending}
    places.update((key, making.place) for key, making in uses.makings.items())

    def code_name(number: int) -> Name | None:
        return names.of_code(codes[number]) if number in codes else None

    found = SharedUses()
    for key, making in uses.makings.items():
        place = names.of_place(places[key])
        found.makings[place] = (making.repeated, making.made)
        owner = making.owner
        found.facts[place] = MakingFacts(
            making.loop is not None,
            making.guarded,
            None if owner is None else names.of_code(owner),
            None if owner is None or owner.cls is None else owner.name,
            making.qualname,
            making.in_test,
            tuple(sorted(making.depends)),
        )
    for key, callers in uses.called_by.items():
        if key in places:
            found.called_by[names.of_place(places[key])] = {code_name(each) for each in callers}
    found.kept = {names.of_place(places[key]) for key in uses.kept if key in places}
    found.cached = {name for name in map(code_name, uses.cached) if name is not None}
    parsed = [each for each in it.store._parsed.values() if not each.unit.is_function]

    def site(caller: Code | None, node: int) -> Site:
        if caller is None:
            return None, names.of_stray(node, parsed)
        name = names.of_code(caller)
        found.qualnames[name] = caller.qualname
        return name, names.of_stray(node, () if caller.parsed is None else (caller.parsed,))

    for calls in uses.calls.values():
        for (_, node), call in calls.items():
            assert call.callee is not None
            callee = names.of_code(call.callee)
            found.qualnames[callee] = call.callee.qualname
            found.calls[callee, site(call.caller, node)] = _seen(call)
    for method, sites in uses.method_calls.items():
        for (_, node), call in sites.items():
            found.method_calls[method, site(call.caller, node)] = _seen(call)
    return found


def _seen(call: Call) -> Seen:
    return Seen(call.loop, call.in_test, call.alternative, tuple(sorted(call.varies)))


def absorb(it: Interpreter, names: PlaceNames, every: SharedUses) -> None:
    """Add what all processes saw to what this one did."""
    uses = it.observations(JitUses)
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
    for name, qualname in every.qualnames.items():
        if name not in codes:
            codes[name] = Caller(qualname)
    uses.cached.update(id(codes[name]) for name in every.cached if name in codes)
    uses.calls.clear()
    uses.method_calls.clear()
    recall_calls(uses, every, codes.__getitem__)
    it.keep(codes)


def _codes(it: Interpreter) -> list[Code]:
    """Every function that this process has met."""
    store = it.store
    found = {id(code): code for code in (*store._units.values(), *store._nested.values())}
    return list(found.values())


def recall_calls(uses: JitUses, every: SharedUses, function: Callable[[Name], Any]) -> None:
    """Record the calls that all parts saw.

    Args:
      uses: where they are recorded.
      every: what all parts saw.
      function: gives the function of a name, or what stands for it.
    """
    numbers: dict[Any, int] = {}

    def key_of(site: Site) -> tuple[int, int]:
        caller, place = site
        number = numbers.setdefault(site, len(numbers))
        if caller is not None:
            return id(function(caller)), number
        # Code of a module: its path, if it is known.
        return -1 - numbers.setdefault(place and place[0], len(numbers)), number

    def call_of(site: Site, seen: Seen, callee: Any) -> Call:
        return Call(
            None if site[0] is None else function(site[0]),
            callee,
            seen.loop,
            seen.in_test,
            alternative=seen.alternative,
            varies=frozenset(seen.varies),
        )

    for (name, site), seen in every.calls.items():
        callee = function(name)
        uses.calls.setdefault(id(callee), {})[key_of(site)] = call_of(site, seen, callee)
    for (method, site), seen in every.method_calls.items():
        uses.method_calls.setdefault(method, {})[key_of(site)] = call_of(site, seen, None)
