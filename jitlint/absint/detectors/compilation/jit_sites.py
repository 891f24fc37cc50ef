"""What is noted of jitted functions: where they are made, and who calls what makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import libcst as cst
from msgspec import Struct, field
from msgspec.structs import replace

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.detectors.compilation.reached import Begun
from jitlint.absint.detectors.surroundings.choices import asks_for, either, leads_to
from jitlint.absint.detectors.variants.configurations import are_configured
from jitlint.absint.detectors.variants.fixed_values import origins_by_call
from jitlint.absint.limits import CALLER_LEVELS, EAGER_LEVELS

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex


#: what is said of a place that is reached whenever the code around it runs
EVERY_TIME: Final = "turn"
#: how a parameter is written without which there is no telling what program is wanted: one that is
#: called, or makes shapes
NEEDED: Final = "{}()"
#: how a parameter is written for which a call makes a function of its own, or which is jitted
OWN: Final = "own {}"
#: stands for the places that start a program: whichever is reached, it is started once
LAUNCHED: Final = "launched"
#: what makes an object, and the jitted functions that are its own
INIT: Final = "__init__"


class Kind(Enum):
    """What a place does.

    Attributes:
      JIT: it makes a jitted function.
      CONTROL_FLOW: it runs control flow, which compiles by itself.
      CLEARING: it throws away what was compiled.
      STATIC_ARRAY: it declares a parameter that is static and holds arrays.
      STATIC_ARGUMENT: it gives a static parameter what was made for this one call, or hands it on
        to what does: ``depends`` says by which parameters it is made, and which are ``NEEDED``.
      STATIC_NUMBER: it gives a static parameter a number that counts the calls, or that callers
        choose: ``depends`` says by which parameters.
      ARGUMENT_SHAPE: it calls with an argument whose shape changes, or may do so with what callers
        pass: ``depends`` says how and with which of the parameters.
    """

    JIT = "jit"
    CONTROL_FLOW = "control flow"
    CLEARING = "clearing"
    STATIC_ARRAY = "static array"
    STATIC_ARGUMENT = "static argument"
    STATIC_NUMBER = "static number"
    ARGUMENT_SHAPE = "argument shape"


class JitSite(Struct, eq=False):
    """A place that makes a jitted function outside every trace, or compiles one at once.

    Args:
      kind: what the place does.
      place: the use of the transform.
      owner: the function whose code it is; None at module level.
      qualname: the name of that function.
      chain: the steps that led there.
      operand: what is jitted, as written.
      callee: the transform, as users know it.
      fresh: what is new at every evaluation (``lambda`` ...), None for a lasting function.
      loop: the innermost loop around the place in the same function.
      repeated: whether what is jitted is made within that loop.
      guarded: whether the place is reached only if nothing was made before.
      depends: the parameters of the owner that what is jitted calls or asks, so that another
        argument needs another compilation.
      in_test: whether it is code of a test.
      clears: what identifies the jitted function whose programs are thrown away, None for all.
      holder: what identifies the function, or the outermost loop of a module, that it stands in.
      optional: whether the static parameter may be left out.
      sized: what the sizes of what the jitted function is given follow: parameters of the owner, as
        the sizes of calls have them, or ``EVERY_TIME`` for those that a loop around the place
        lists; and the parameter that is jitted itself, as ``OWN`` has it.
      begun: from where it was seen so far; what is known by more is kept.
      settings: what the parameters of the owner must be so that the place is reached.
      fixed: the parameters of the owner for which no array could stand in what is jitted: another
        one is another program.
      reads: the parameters of the owner, and of the functions around it, of which they make what
        the jitted function closes over.
      configured: the functions around the owner whose loops go through configurations that the
        jitted function closes over.
    """

    kind: Kind
    place: Place
    owner: Code | None
    qualname: str
    chain: Any
    operand: str
    callee: str
    fresh: str | None
    depends: frozenset[str]
    in_test: bool
    loop: cst.CSTNode | None = None
    repeated: bool = False
    guarded: bool = False
    clears: Any = None
    holder: Any = None
    is_property: bool = False
    optional: bool = False
    sized: frozenset[str] = frozenset()
    begun: Begun = Begun.PROGRAM
    settings: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    reads: frozenset[tuple[Code, str]] = frozenset()
    configured: frozenset[Code] = frozenset()

    def needed(self, *, varying: bool) -> frozenset[str]:
        """The parameters for which another argument needs another compilation.

        Args:
          varying: whether it is known which of them vary from call to call.
        """
        if varying or self.kind is not Kind.STATIC_ARGUMENT:
            return self.depends
        return frozenset(name for name in self.depends if name.endswith(NEEDED.format("")))

    def makes_the_same(self, code: Code | None) -> bool:
        """Whether each turn of a loop makes the same: here, or in a function without parameters.

        Args:
          code: the function in which the jitted one is called.
        """
        if self.depends:
            return False
        return self.owner is code or (self.owner is not None and not self.owner.parameters)

    def is_around(self, qualname: str) -> bool:
        """Whether a function was made where the jitted one was: it may be called any times."""
        return self.owner is not None and qualname.startswith(f"{self.owner.qualname}.")


class Call(Struct, frozen=True):
    """A call of a function of the project by host code.

    Args:
      caller: the function around it, None for code of a module.
      callee: what is called, None where only the name of the method is known.
      loop: whether a loop is around it.
      in_test: whether it is code of a test.
      place: where it is; a name of that will do.
      varies: the parameters for which it passes something else in each iteration of a loop around
        it.
      wraps: the functions that the callee closes over, as that of a decorator does.
      hands: the functions that it passes, or leaves to the defaults of the callee.
      held: those of all these, and the callee, that the caller itself was handed or closes over: a
        call of the caller leads on to them only if it has them, too.
      in_turns: the parameters to which a loop gives one setting after the other.
      settings: those that it gives to parameters, as far as they are known.
      sizes: in which way what parameters are given changes with the loops around it, as the sites
        that depend on it have it.
      repeats: whether it hands the callee to a library, which calls it several times; so does the
        definition of a function that answers requests.
      handed_on: which parameters of the caller it makes those of the callee of.
      alike: those of ``varies`` for which each iteration makes the same thing again.
      file: the name of the file that it stands in, where calls are judged.
      under: what the parameters of the caller must be so that it is reached.
      configured: the parameters for which it passes another configuration in each iteration of the
        loops around it, each after the number of the loop.
      receiver: the name of the object whose method it calls, with how often that was bound before;
        as it is written if it has none.
      launched: whether code of a module led to it, so that what calls it is no guess.
      decides: whether it passes more than arrays and floats that the loops around it change: that
        may well be another program.
      told: what it gives to parameters that tells programs apart, as ``told_by_call`` has it.
    """

    caller: Code | None
    callee: Code | None
    loop: bool
    in_test: bool
    place: Any
    varies: frozenset[str] = frozenset()
    wraps: frozenset[Code] = frozenset()
    sizes: frozenset[str] = frozenset()
    repeats: bool = False
    hands: frozenset[Code] = frozenset()
    held: frozenset[Code] = frozenset()
    in_turns: frozenset[str] = frozenset()
    settings: frozenset[str] = frozenset()
    handed_on: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()
    file: str = ""
    under: frozenset[str] = frozenset()
    configured: frozenset[str] = frozenset()
    receiver: str = ""
    launched: bool = False
    decides: bool = False
    told: frozenset[str] = frozenset()

    @property
    def around(self) -> str:
        """What it stands in, in words of the program."""
        return self.file if self.caller is None else self.caller.qualname

    @property
    def has(self) -> frozenset[Code]:
        """The functions that the callee has by this call."""
        return self.wraps | self.hands

    def with_more(
        self,
        wraps: frozenset[Code],
        hands: frozenset[Code],
        held: frozenset[Code],
        settings: frozenset[str] = frozenset(),
    ) -> Call:
        """The call, which gives and has other things when it is made another time."""
        return replace(
            self,
            wraps=self.wraps | wraps,
            hands=self.hands | hands,
            held=self.held | held,
            settings=either(self.settings, settings),
        )


#: calls by what is running (code of a module: that) and what identifies the place
CallSites = dict[tuple[Any, Any], Call]
#: the most of some calls in one function, or in the code of one module, that a run can reach
OnOnePath = Callable[[Sequence[Call]], int]


class JitUses(Struct, eq=False):
    """What the observers note during a run.

    Args:
      sites: by the node of the place.
      called_by: functions that call what a place makes just once for each time that they get it, by
        the node of the place.
      received: how many loops were around when a frame was given what a place makes.
      kept: places whose result is put into a container or an attribute, or is cached.
      of_objects: places in constructors whose result the object has that is made there.
      calls: callers of each function, with the calling node and whether a loop is around it.
      method_calls: calls of methods of unknown objects, by the name of the method.
      cached: functions under ``lru_cache``: their body runs once for equal arguments.
      traced: functions that run in a trace.
      staged: those of them that other code than that of tests has staged, so that nothing is
        compiled in them for their own sake.
      scripted: functions of files that are no part of a package.
      kept_functions: functions that are put into a container or an attribute, or are cached.
      passed: static parameters of which a call shows what they are given.
      runs: jitted functions that are called by name, with the function, or the outermost loop of a
        module, that calls them, and whether a loop around the call leaves them as they are.
      places: where what is called or kept was made, by the node.
      forwards: functions that hand their arguments on to others, with those, where the calls of
        the first are noted as calls of the second.
    """

    sites: dict[int, JitSite] = field(default_factory=dict)
    called_by: dict[int, set[Code | None]] = field(default_factory=dict)
    received: dict[tuple[int, int], int] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)
    of_objects: set[int] = field(default_factory=set)
    calls: dict[Code, CallSites] = field(default_factory=dict)
    method_calls: dict[str, CallSites] = field(default_factory=dict)
    cached: set[Code] = field(default_factory=set)
    traced: set[Code] = field(default_factory=set)
    staged: set[Code] = field(default_factory=set)
    scripted: set[Code] = field(default_factory=set)
    kept_functions: set[Code] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    runs: dict[tuple[Any, Any], bool] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    forwards: set[tuple[Code | None, Code]] = field(default_factory=set)

    def fork(self) -> JitUses:
        """For an analysis that goes on from here: what frames were given stays known."""
        return JitUses(received=dict(self.received), kept_functions=set(self.kept_functions))

    def beside(self) -> JitUses:
        """For other code of the same run: what frames were given is known to both."""
        return JitUses(received=self.received, kept_functions=self.kept_functions)

    def add(self, node: cst.CSTNode, site: JitSite) -> None:
        """Note a place that makes something for the function around it, which uses it there."""
        self.called_by[id(node)] = {site.owner}
        self.places[id(node)] = site.place
        self.sites[id(node)] = site

    def attribute(self, modules: Sequence[ModuleIndex], owner: Code) -> None:
        """Count calls of unknown objects by the name of a method that only one class has."""
        found = self.method_calls.get(owner.name)
        if owner.cls is None or not found or owner.name.startswith("__"):
            return
        classes = (cls for module in modules for cls in module.classes.values())
        if sum(owner.name in cls.methods for cls in classes) != 1:
            return
        known = self.calls.setdefault(owner, {})
        for key, call in found.items():
            known.setdefault(key, replace(call, callee=owner))

    def call_in_loop(
        self,
        owner: Code,
        settings: frozenset[str] = frozenset(),
        fixed: frozenset[str] = frozenset(),
        reads: frozenset[tuple[Code, str]] = frozenset(),
        depends: frozenset[str] = frozenset(),
        *,
        eager: bool = False,
    ) -> tuple[Call | None, Code]:
        """The call in a loop that leads to ``owner``, with the function that it seems to call.

        That is what a decorator wrapped, if the callee is its wrapper.  There is no call if no loop
        leads there; tests count last.

        Args:
          owner: the function.
          settings: what its parameters must be in the calls that count.  A loop that goes through
            such settings comes to each of them once.
          fixed: the parameters of which another value is another program.  A loop that goes through
            such values comes to each of them once.
          reads: the parameters, its own and those of the functions around it, of which they make
            what a program works with.  A loop that goes through configurations of that comes to
            each of them once.
          depends: the parameters of ``owner`` for which another argument needs another program.  A
            loop further up counts only where none of them, and nothing of ``reads``, varies.
          eager: whether only loops count that certainly run outside of traces, and are near, or
            of programs: what is far below them is rather a library's, which others may jit.
        """
        in_test: tuple[Call | None, Code] = None, owner
        nothing: frozenset[Code] = frozenset()
        seen: set[tuple[Code, frozenset[Code], frozenset[Code], Any, Any]] = set()

        def read_in(code: Code | None) -> frozenset[str]:
            return frozenset(name for around, name in reads if around is code)

        start = fixed | depends, read_in(owner)
        waiting = [(owner, nothing, nothing, start, owner, 0, settings)]
        while waiting:
            code, inside, needed, made_of, shown, between, wanted = waiting.pop()
            if (code, inside, needed, made_of, wanted) in seen or code in self.cached:
                continue
            seen.add((code, inside, needed, made_of, wanted))
            known, read = made_of
            for call in self.calls.get(code, {}).values():
                first = code is owner
                if not needed <= call.has or not leads_to(wanted, call.settings):
                    continue
                called = shown if call.wraps & inside else code
                asked = self.runs_eagerly if eager else self.may_run_eagerly
                loop = call.loop and asked(call.caller)
                loop = loop and not (first and asks_for(settings, call.in_turns))
                loop = loop and known.isdisjoint(call.varies - call.alike)
                loop = loop and not are_configured(read, call.configured)
                loop = loop and (first or not depends or read.isdisjoint(call.varies))
                loop = loop and not (eager and between > EAGER_LEVELS and call.decides)
                if loop and not call.in_test:
                    return call, called
                if loop:
                    in_test = call, called
                elif call.caller is not None and (
                    not eager or between < EAGER_LEVELS or call.launched
                ):
                    within = (call.has & inside) | {code}
                    held = (call.held & within) - {call.caller}
                    above = (
                        origins_by_call(call.handed_on, known),
                        origins_by_call(call.handed_on, read) | read_in(call.caller),
                    )
                    further = call.caller, within, held, above, called, between + 1, call.under
                    waiting.append(further)
        return in_test

    def runs_eagerly(self, code: Code | None) -> bool:
        """Whether a function runs outside of traces: every one is looked at as if it did.

        It does where code of a module leads to it, other than that of tests.  Of what nobody
        visibly calls, a script is believed to be what it seems, as long as nothing traces it; who
        calls a function of a package may do so from a trace.
        """
        return self._runs_eagerly(code, set())

    def _runs_eagerly(self, code: Code | None, seen: set[Code]) -> bool:
        if code is None:
            return True
        if code in seen:
            return False
        seen.add(code)
        calls = [call for call in self.calls.get(code, {}).values() if not call.in_test]
        if not calls:
            return code in self.scripted and code not in self.traced
        return any(self._runs_eagerly(call.caller, seen) for call in calls)

    def may_run_eagerly(self, code: Code | None) -> bool:
        """Whether a function may run outside of traces.

        It may not where visible code stages it, and all that calls it.
        """
        return self._may_run_eagerly(code, set())

    def _may_run_eagerly(self, code: Code | None, seen: set[Code]) -> bool:
        if code is None or code not in self.staged:
            return True
        if code in seen:
            return False
        seen.add(code)
        calls = self.calls.get(code, {}).values()
        return any(self._may_run_eagerly(call.caller, seen) for call in calls)

    def call_count(self, owner: Code, on_one_path: OnOnePath, site: JitSite) -> int:
        """How often one run of a function, or of a module's code, leads to a place in a function.

        Where a library calls it again and again, that is 0 times from anywhere, but for sure.
        Calls that make a function of their own for what is jitted need a program of their own, and
        so do those that work with another class, or other sizes.
        """
        own = "self" in site.fixed
        return self._call_count(
            owner, on_one_path, CALLER_LEVELS, site.sized, site.settings, _deciding(site), own
        )

    def is_repeated(self, owner: Code) -> bool:
        """Whether a library calls a function again and again, or one that leads to it."""
        seen: set[Code] = set()
        waiting = [owner]
        while waiting:
            code = waiting.pop()
            if code in seen or code in self.cached or code.qualname.endswith("__init__"):
                continue
            seen.add(code)
            calls = [call for call in self.calls.get(code, {}).values() if not call.in_test]
            if any(call.repeats for call in calls):
                return True
            waiting += [call.caller for call in calls if call.caller is not None]
        return False

    def _call_count(
        self,
        owner: Code,
        on_one_path: OnOnePath,
        levels: int,
        jitted: frozenset[str] = frozenset(),
        settings: frozenset[str] = frozenset(),
        deciding: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
        by_object: bool = False,
    ) -> int:
        if owner in self.cached:
            return 0
        groups: dict[Any, list[Call]] = {}
        for (caller, _), call in self.calls.get(owner, {}).items():
            own = not call.sizes.isdisjoint(jitted)
            if not call.in_test and not own and leads_to(settings, call.settings):
                # What is compiled for one object serves no other.
                apart = frozenset(said for said in call.told if _tells_apart(said, *deciding))
                group = caller, call.receiver if by_object else "", apart
                groups.setdefault(group, []).append(call)
        # Of calls that stand in for each other a run reaches only one.
        most = 0
        for calls in groups.values():
            count = on_one_path(calls)
            caller = calls[0].caller
            if count and levels and _is_sibling(caller, owner):
                # What calls another method of the class several times gets here as often.
                assert caller is not None
                count *= max(1, self._call_count(caller, on_one_path, levels - 1))
            most = max(most, count)
        return most


def _deciding(site: JitSite) -> tuple[frozenset[str], frozenset[str]]:
    """The parameters that decide what program is made: by what they are, and by which number."""
    kinds = frozenset(name for code, name in site.reads if code is site.owner)
    return kinds, frozenset(said.rpartition(" ")[2] for said in site.sized)


def _tells_apart(said: str, kinds: frozenset[str], numbers: frozenset[str]) -> bool:
    """Whether what a call gives to a parameter decides what program is made."""
    name, _, what = said.partition(" ")
    return name in (numbers if what.lstrip("-").isdigit() else kinds)


def _is_sibling(caller: Code | None, owner: Code) -> bool:
    """Whether both are methods of one class, other than the one that makes its objects."""
    if caller is None or caller is owner:
        return False
    cls, _, name = caller.qualname.rpartition(".")
    return bool(cls) and name != "__init__" and owner.qualname.rpartition(".")[0] == cls
