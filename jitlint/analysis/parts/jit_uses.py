"""What the parts saw of jitted functions, put together before anything is judged.

Whether a jitted function is made again and again shows in the calls of the function around it,
which may start in another file.  All of it goes by names, since not every part is interpreted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.compilation.jit_sites import Call, JitSite, JitUses, Kind
from jitlint.absint.detectors.compilation.jit_verdicts import Verdict, verdicts
from jitlint.absint.detectors.compilation.reached import Begun
from jitlint.absint.detectors.surroundings.choices import either
from jitlint.absint.detectors.surroundings.paths import most_on_one_path
from jitlint.analysis.parts.places import LocalNames, Name
from jitlint.foundation.records import Record
from jitlint.source.document import is_prose

if TYPE_CHECKING:
    import libcst as cst

    from jitlint.absint.code.functions import Code
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Way


class SiteFacts(Struct, frozen=True):
    """What else is known of a place that makes a jitted function.

    Args:
      kind: what the place does.
      in_loop: whether a loop is around it in the same function.
      guarded: whether it is reached only if nothing was made before.
      owner: the function whose code it is; None at module level.
      method: the name of that function, if it is a method of a class.
      qualname: its qualified name.
      in_test: whether it is code of a test.
      depends: the parameters of that function for which another argument needs another
        compilation.
      clears: where the jitted function was made whose programs are thrown away, None for all.
      holder: the function, or the outermost loop of a module, that it stands in, where that counts.
      is_property: whether that function is a property.
      sized: what the sizes follow of what the jitted function is given.
      settings: what the parameters of that function must be so that the place is reached.
      fixed: those of which another value is another program.
      reads: those of it, and of the functions around it, of which what the jitted function closes
        over is made.
      configured: the functions around it whose loops go through configurations of that.
      begun: from where it was reached.
    """

    kind: Kind
    in_loop: bool
    guarded: bool
    owner: Name | None
    method: str | None
    qualname: str
    in_test: bool
    depends: tuple[str, ...]
    clears: Name | None = None
    holder: Name | None = None
    is_property: bool = False
    sized: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    reads: tuple[tuple[Name, str], ...] = ()
    configured: tuple[Name, ...] = ()
    begun: Begun = Begun.PROGRAM

    def with_more(self, other: SiteFacts) -> SiteFacts:
        """The same with what another part knows of the place."""
        if self == other:
            return self
        if self.begun != other.begun:
            # Whoever knows what is passed knows what is made of it.
            return max(self, other, key=lambda facts: facts.begun)
        depends: Iterable[str] = self.depends
        if self.kind is Kind.ARGUMENT_SHAPE:
            # Where one of them hangs on nothing, it changes whatever callers pass.
            depends = {*self.depends, *other.depends} if self.depends and other.depends else ()
        sized = tuple(sorted({*self.sized, *other.sized}))
        return replace(self, sized=sized, depends=tuple(sorted(depends)))


#: where a call is: the function around it (None: code of a module) and the place
CallSite = tuple[Name | None, Name]


class Seen(NamedTuple):
    """What is known of a :class:`~jitlint.absint.detectors.compilation.jit_sites.Call`."""

    loop: bool
    in_test: bool
    varies: tuple[str, ...]
    sizes: tuple[str, ...]
    repeats: bool
    wraps: tuple[Name, ...]
    hands: tuple[Name, ...]
    held: tuple[Name, ...]
    in_turns: tuple[str, ...]
    settings: tuple[str, ...]
    handed_on: tuple[str, ...]
    alike: tuple[str, ...]
    under: tuple[str, ...]
    configured: tuple[str, ...]
    receiver: str
    launched: bool
    decides: bool
    told: tuple[str, ...]

    def with_more(self, other: Seen) -> Seen:
        """The same with what another part met at the place."""
        if self == other:
            return self
        # A program knows what it passes.
        sizes = {*self.sizes, *(other.sizes if self.launched == other.launched else ())}
        return self._replace(
            sizes=tuple(sorted(sizes)),
            repeats=self.repeats or other.repeats,
            wraps=tuple(sorted({*self.wraps, *other.wraps}, key=str)),
            hands=tuple(sorted({*self.hands, *other.hands}, key=str)),
            held=tuple(sorted({*self.held, *other.held}, key=str)),
            settings=tuple(sorted(either(frozenset(self.settings), frozenset(other.settings)))),
            launched=self.launched or other.launched,
            told=self.told or other.told,
        )

    @property
    def weight(self) -> tuple[bool, bool]:
        """Of two parts that met other calls at one place, whose look counts more."""
        return self.loop, self.launched


class SharedUses(Struct):
    """:class:`JitUses` with names in the place of identities.

    Args:
      sites: by place, whether what is made there is repeated, and what is fresh of it.
      called_by: by place, the functions that call what is made; None is code of a module.
      kept: places whose result is kept.
      calls: by callee, caller and place: what is known of the call.
      method_calls: the same by the name of a method.
      cached: functions under a cache.
      traced: functions that run in a trace.
      staged: those of them that other code than that of tests has staged.
      passed: static parameters of which a call shows what they are given.
      runs: by the function or loop of a module and where a jitted function was made: whether it is
        called there in a loop that leaves it as it is.
      qualnames: of the callers.
      facts: by place, what else is known of what is made there.
    """

    sites: dict[Name, tuple[bool, str | None]] = field(default_factory=dict)
    called_by: dict[Name, set[Name | None]] = field(default_factory=dict)
    kept: set[Name] = field(default_factory=set)
    calls: dict[tuple[Name, CallSite], Seen] = field(default_factory=dict)
    method_calls: dict[tuple[str, CallSite], Seen] = field(default_factory=dict)
    cached: set[Name] = field(default_factory=set)
    traced: set[Name] = field(default_factory=set)
    staged: set[Name] = field(default_factory=set)
    passed: set[Name] = field(default_factory=set)
    runs: dict[tuple[Name, Name], bool] = field(default_factory=dict)
    qualnames: dict[Name, str] = field(default_factory=dict)
    facts: dict[Name, SiteFacts] = field(default_factory=dict)

    def add(self, other: SharedUses) -> None:
        """Take in what another part saw."""
        for place, (repeated, fresh) in other.sites.items():
            mine = self.sites.get(place, (False, None))
            self.sites[place] = (mine[0] or repeated, mine[1] or fresh)
        for place, callers in other.called_by.items():
            self.called_by.setdefault(place, set()).update(callers)
        self.kept |= other.kept
        for call, known in other.calls.items():
            seen = self.calls.get(call, known)
            lighter, weighty = sorted((seen, known), key=lambda each: each.weight)
            self.calls[call] = weighty.with_more(lighter)
        for method, known in other.method_calls.items():
            if known.loop or method not in self.method_calls:
                self.method_calls[method] = known
        self.cached |= other.cached
        self.traced |= other.traced
        self.staged |= other.staged
        self.passed |= other.passed
        for run, repeats in other.runs.items():
            self.runs[run] = repeats or self.runs.get(run, False)
        self.qualnames.update(other.qualnames)
        for place, facts in other.facts.items():
            known_facts = self.facts.get(place)
            self.facts[place] = facts if known_facts is None else known_facts.with_more(facts)


def export(uses: JitUses, names: LocalNames) -> SharedUses:
    """What one part saw, by names."""
    found = SharedUses()

    def name_of(code: Code | None) -> Name | None:
        if code is None:
            return None
        name = names.of_code(code)
        found.qualnames[name] = code.qualname
        return name

    def holder(around: Code | Place | None) -> Name | None:
        return names.of_place(around) if isinstance(around, Place) else name_of(around)

    def call_site(call: Call) -> CallSite:
        return name_of(call.caller), names.of_place(call.place)

    def names_of(codes: Iterable[Code]) -> tuple[Name, ...]:
        found_names = (name for code in codes if (name := name_of(code)) is not None)
        return tuple(sorted(found_names, key=str))

    def seen(call: Call) -> Seen:
        return Seen(
            call.loop,
            call.in_test,
            tuple(sorted(call.varies)),
            tuple(sorted(call.sizes)),
            call.repeats,
            names_of(call.wraps),
            names_of(call.hands),
            names_of(call.held),
            tuple(sorted(call.in_turns)),
            tuple(sorted(call.settings)),
            tuple(sorted(call.handed_on)),
            tuple(sorted(call.alike)),
            tuple(sorted(call.under)),
            tuple(sorted(call.configured)),
            call.receiver,
            call.launched,
            call.decides,
            tuple(sorted(call.told)),
        )

    for site in uses.sites.values():
        place = names.of_place(site.place)
        found.sites[place] = (site.repeated, site.fresh)
        owner = site.owner
        found.facts[place] = SiteFacts(
            site.kind,
            site.loop is not None,
            site.guarded,
            name_of(owner),
            None if owner is None or owner.cls is None else owner.name,
            site.qualname,
            site.in_test,
            tuple(sorted(site.depends)),
            None if site.clears is None else names.of_place(uses.places[site.clears]),
            holder(site.holder),
            site.is_property,
            tuple(sorted(site.sized)),
            tuple(sorted(site.settings)),
            tuple(sorted(site.fixed)),
            tuple(sorted(((names.of_code(c), name) for c, name in site.reads), key=str)),
            names_of(site.configured),
            site.begun,
        )
    for key, callers in uses.called_by.items():
        found.called_by[names.of_place(uses.places[key])] = set(map(name_of, callers))
    found.kept = {names.of_place(uses.places[key]) for key in uses.kept}
    found.cached = {names.of_code(code) for code in uses.cached}
    found.traced = {names.of_code(code) for code in uses.traced}
    found.staged = {names.of_code(code) for code in uses.staged}
    found.passed = {names.of_place(uses.places[key]) for key in uses.passed}
    for (around, key), repeats in uses.runs.items():
        name = holder(around)
        assert name is not None
        found.runs[name, names.of_place(uses.places[key])] = repeats
    for code, calls in uses.calls.items():
        callee = name_of(code)
        assert callee is not None
        for call in calls.values():
            found.calls[callee, call_site(call)] = seen(call)
    for method, calls in uses.method_calls.items():
        for call in calls.values():
            found.method_calls[method, call_site(call)] = seen(call)
    return found


# -- judging --------------------------------------------------------------------------------------


class _Named(Record):
    """Stands for a function."""

    name: str
    qualname: str
    #: whether it is a method; only that counts
    cls: bool | None


def named_verdicts(
    every: SharedUses, modules: Sequence[ModuleIndex], names: LocalNames
) -> Iterator[tuple[Name, Verdict]]:
    """Find every place that makes a jitted function again and again.

    Args:
      every: what all parts saw.
      modules: the indexed modules.
      names: knows which places the names are of.

    Yields:
      The place and what is wrong there.
    """
    functions: dict[Name, Any] = {}
    for facts in every.facts.values():
        if facts.owner is not None:
            is_method = True if facts.method is not None else None
            functions[facts.owner] = _Named(facts.method or "", facts.qualname, is_method)

    def function(name: Name | None) -> Any:
        if name is not None and name not in functions:
            functions[name] = _Named("", every.qualnames[name], None)
        return None if name is None else functions[name]

    def held(name: Name | None) -> Any:
        return function(name) if name in every.qualnames else name

    uses = JitUses()
    uses.runs = {(held(around), made): repeats for (around, made), repeats in every.runs.items()}
    places = list(every.sites)
    for key, place in enumerate(places):
        repeated, fresh = every.sites[place]
        facts = every.facts[place]
        uses.sites[key] = JitSite(
            kind=facts.kind,
            place=_NOWHERE,
            owner=function(facts.owner),
            qualname=facts.qualname,
            chain=None,
            operand="",
            callee="",
            fresh=fresh,
            loop=_LOOP if facts.in_loop else None,
            repeated=repeated,
            guarded=facts.guarded,
            depends=frozenset(facts.depends),
            in_test=facts.in_test,
            clears=facts.clears,
            holder=held(facts.holder),
            is_property=facts.is_property,
            sized=frozenset(facts.sized),
            settings=frozenset(facts.settings),
            fixed=frozenset(facts.fixed),
            reads=frozenset((function(code), name) for code, name in facts.reads),
            configured=frozenset(map(function, facts.configured)),
            begun=facts.begun,
        )
        callers = every.called_by.get(place)
        if callers is not None:
            uses.called_by[key] = set(map(function, callers))
        if place in every.kept:
            uses.kept.add(key)
        if place in every.passed:
            uses.passed.add(key)
    # Nothing is asked of a function that nobody calls and that makes nothing.
    asked = every.qualnames.keys()
    uses.cached = set(map(function, every.cached & asked))
    uses.traced = set(map(function, every.traced & asked))
    uses.staged = set(map(function, every.staged & asked))
    packaged = {str(module.path) for module in modules if _is_packaged(module)}
    uses.scripted = {function(name) for name in asked if name[0] not in packaged}
    for (name, call_site), seen in every.calls.items():
        callee = function(name)
        call = _call(call_site, callee, seen, function)
        uses.calls.setdefault(callee, {})[call.caller or call_site[1][0], call_site] = call
    for (method, call_site), seen in every.method_calls.items():
        call = _call(call_site, None, seen, function)
        uses.method_calls.setdefault(method, {})[call.caller or call_site[1][0], call_site] = call

    def on_one_path(calls: Sequence[Call]) -> int:
        if len(calls) < 2 or all(_is_example(call) for call in calls):
            # The examples of a text are programs of their own.
            return min(len(calls), 1)
        try:
            return _on_one_path([call.place for call in calls], names)
        except LookupError:
            # What is known of a part may be outdated.
            return 1

    for key, _, verdict in verdicts(uses, modules, on_one_path):
        yield places[key], verdict


def _is_example(call: Call) -> bool:
    """Whether a call stands in the code of a text, outside of all functions."""
    return call.caller is None and is_prose(Path(call.place[1][0]))


@lru_cache(maxsize=4096)
def _file_name(path: str) -> str:
    return Path(path).name


def _is_packaged(module: ModuleIndex) -> bool:
    """Whether a module is part of a package."""
    return "." in module.name or module.path.stem == "__init__"


def _call(
    call_site: CallSite, callee: Any, seen: Seen, function: Callable[[Name | None], Any]
) -> Call:
    return Call(
        function(call_site[0]),
        callee,
        seen.loop,
        seen.in_test,
        call_site,
        frozenset(seen.varies),
        frozenset(map(function, seen.wraps)),
        frozenset(seen.sizes),
        seen.repeats,
        frozenset(map(function, seen.hands)),
        frozenset(map(function, seen.held)),
        frozenset(seen.in_turns),
        frozenset(seen.settings),
        frozenset(seen.handed_on),
        frozenset(seen.alike),
        _file_name(call_site[1][0]),
        frozenset(seen.under),
        frozenset(seen.configured),
        seen.receiver,
        seen.launched,
        seen.decides,
        frozenset(seen.told),
    )


def _on_one_path(call_sites: Sequence[CallSite], names: LocalNames) -> int:
    """The most of the places in one function, or in the code of one module, that a run reaches."""
    around: dict[int, tuple[cst.CSTNode, tuple[Way, ...], set[int]]] = {}
    for caller, name in call_sites:
        place = names.place(name)
        node = place.parsed.statement if caller is None else names.definition(caller)
        ways = place.parsed.unit.ways if caller is None else ()
        around.setdefault(id(place.parsed), (node, ways, set()))[2].add(id(place.node))
    counts = [(ways, most_on_one_path(node, wanted)) for node, ways, wanted in around.values()]
    return _most_of_all_ways(counts)


def _most_of_all_ways(counts: Iterable[tuple[tuple[Way, ...], int]]) -> int:
    """The most that one run of a module reaches, which goes one way of each ``if``.

    Args:
      counts: what statements of a module reach, each with the ways that lead to it.
    """
    most = 0
    inner: dict[int, dict[bool, list[tuple[tuple[Way, ...], int]]]] = {}
    for ways, count in counts:
        if ways:
            row, holds = ways[0]
            inner.setdefault(row, {}).setdefault(holds, []).append((ways[1:], count))
        else:
            most += count
    return most + sum(max(map(_most_of_all_ways, each.values())) for each in inner.values())


#: what verdicts do not look at more closely
_NOWHERE: Place = object()  # type: ignore[assignment]
_LOOP: Any = object()
