"""The parts of an analysis: the code of modules that others import, then what starts in each file.

Every part sees the objects that modules made, and nothing of what another part remembers, so its
results depend on nothing but what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from jitlint.absint.detectors.compilation.jit_sites import JitSite, JitUses
from jitlint.absint.detectors.compilation.jit_verdicts import Verdict, emit
from jitlint.absint.events import Event
from jitlint.absint.limits import MADE_APART
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.reads import ModuleReads, ProgramReads, Reads
from jitlint.absint.transforms.applied import Applied, applied_methods
from jitlint.absint.transforms.calling import receiver_class, use_key
from jitlint.absint.values.domain import Class, Transformed, base_function
from jitlint.analysis.parts.agenda import Identity, Progress, Use, use_of
from jitlint.analysis.parts.places import LocalNames, Name
from jitlint.analysis.parts.reports import EventKey
from jitlint.analysis.parts.roots import OnFailure, Roots
from jitlint.project.failing_imports import failing_import
from jitlint.project.index import ModuleIndex
from jitlint.project.reading import into
from jitlint.project.test_code import is_test
from jitlint.project.units import Unit
from jitlint.tracing.assumed import AssumedUnit

#: the methods of modules that users apply, by what they are called
AppliedUnits = Mapping[Identity, Unit]


def _belongs_to_tests(module: ModuleIndex) -> bool:
    """Whether a module is there for the tests of a project alone."""
    return is_test(module.path, "") or not _TEST_FOLDERS.isdisjoint(module.name.split("."))


_TEST_FOLDERS: Final = frozenset({"test", "tests"})


class Identities:
    """Says what transformed functions are called.

    Args:
      names: gives places their names.
    """

    def __init__(self, names: LocalNames) -> None:
        self.names = names
        # With the functions themselves, so that no other one gets the same number.
        self._known: dict[int, tuple[Transformed, Identity]] = {}

    def of(self, made: Transformed) -> Identity:
        """What a transformed function is called."""
        known = self._known.get(id(made))
        if known is None:
            function = base_function(made.function)
            place = self.names.of_place(made.place)
            base = place if function is None else self.names.of_code(function.code)
            known = self._known[id(made)] = made, (place, made.transform, base)
        return known[1]


class Part:
    """One part, interpreted in this process.

    Args:
      it: interprets it.
      identities: says what transformed functions are called.
      on_failure: told about a unit whose interpretation failed inside jitlint.
    """

    def __init__(self, it: Interpreter, identities: Identities, on_failure: OnFailure) -> None:
        self.interpreter = it
        self._identities = identities
        self._names = identities.names
        self._roots = Roots(it, on_failure)
        self._seen: list[dict[tuple[int, str], Event]] = []
        self._sites: dict[Name, JitSite] | None = None

    @property
    def interpreters(self) -> list[Interpreter]:
        """Those that have run what belongs to this part, one on top of the other."""
        return [self.interpreter]

    @property
    def jits(self) -> list[JitUses]:
        """What was seen of jitted functions, by each of the interpreters."""
        return [it.observations(JitUses) for it in self.interpreters]

    def sites(self) -> dict[Name, JitSite]:
        """The places that were seen to make jitted functions."""
        found: dict[Name, JitSite] = {}
        for uses in self.jits:
            for site in uses.sites.values():
                found.setdefault(self._names.of_place(site.place), site)
        return found

    def progress(self) -> Progress:
        """What the other parts need to know."""
        identity = self._identities.of
        made: dict[Identity, None] = {}
        called: set[Use] = set()
        for it in self.interpreters:
            made.update((identity(each), None) for each in it.transformed)
            called.update(use_of(identity(each)) for each in it.called.values())
            applied = map(self._names.of_code, it.observations(Applied).seen.values())
            called.update((name, name) for name in applied)
        return Progress(tuple(made), frozenset(called))

    def new_events(
        self, counts: Callable[[tuple[int, str]], bool] = lambda _: True
    ) -> list[tuple[EventKey, Event]]:
        """Events, with what names them, that are new since this was last asked.

        Args:
          counts: whether one is asked for.
        """
        found = []
        for number, it in enumerate(self.interpreters):
            self._seen += ({} for _ in range(number + 1 - len(self._seen)))
            seen = self._seen[number]
            for key, event in it.events.items():
                if seen.get(key) is not event and counts(key):
                    seen[key] = event
                    found.append(((self._names.of_place(event.place), type(event).__name__), event))
        return found

    def judge(self, place: Name, verdict: Verdict) -> None:
        """Record the event of a verdict on a place that this part has seen."""
        if self._sites is None:
            self._sites = self.sites()
        emit(self.interpreter, self._sites[place], verdict)

    def dismantle(self) -> None:
        """Take apart what was interpreted: nothing more is asked."""
        for it in self.interpreters:
            it.dismantle()
        self._seen.clear()

    @contextmanager
    def _listening(self, reads: Reads) -> Iterator[None]:
        """Take down which modules are looked for."""
        project = self.interpreter.project
        project.on_look = reads.looked_up
        try:
            with into(reads.sink):
                yield
        finally:
            project.on_look = None


class ModulePart(Part):
    """The code of modules that others import, which every other part rests on.

    Args:
      it: has not run anything.
      identities: says what transformed functions are called.
      on_failure: told about a unit whose interpretation failed inside jitlint.
    """

    def __init__(self, it: Interpreter, identities: Identities, on_failure: OnFailure) -> None:
        super().__init__(it, identities, on_failure)
        self.reads = ModuleReads(it)
        it.reads = self.reads
        #: by module, which transformed functions its code has called
        self.called: dict[Path, set[Use]] = {}
        #: by module, what its code has shown of jitted functions
        self.uses: dict[Path, JitUses] = {}
        #: what was made
        self.made: tuple[Identity, ...] = ()
        #: the modules whose code has led to each event
        self._tellers: dict[tuple[int, str], dict[Path, None]] = {}

    def apart(self, it: Interpreter, units: Iterable[Unit], world: int) -> ModulePart:
        """The code of some modules alone, as it is where no others are.

        Args:
          it: goes on from before any code was run.
          units: the code of all modules.
          world: the files of these modules.
        """
        has = it.project.graph.has
        other = ModulePart(it, self._identities, self._roots.on_failure)
        other.run([unit for unit in units if has(world, unit.module.path)], lambda: None)
        return other

    def told_by(self, key: tuple[int, str]) -> Iterable[Path]:
        """The modules whose code has led to an event."""
        return self._tellers.get(key, ())

    def run(self, units: Iterable[Unit], step: Callable[[], None]) -> None:
        """Run it."""
        it = self.interpreter
        left: dict[ModuleIndex, int] = {}
        shared = it.observations(JitUses)
        known: dict[tuple[Any, ...], Event] = {}
        with self._listening(self.reads):
            for unit in units:
                path = unit.module.path
                if path not in self.uses:
                    self.uses[path] = shared.beside()
                it.note_in(self.uses[path])
                most = left.setdefault(unit.module, it.limits.module_steps)
                with self.reads.of(it, unit.module, (*unit.key, "root")):
                    left[unit.module] -= self._roots.run_code(unit, most)
                self.called.setdefault(path, set()).update(self._take_calls())
                for key, event in it.events.items():
                    if known.get(key) is not event:
                        known[key] = event
                        self._tellers.setdefault(key, {})[path] = None
                step()
        self.reads.finish()
        it.keep_numbers()
        it.note_in(shared)
        self.made = self.progress().made

    def is_whole(self, world: int) -> bool:
        """Whether the modules of some files are here as they are where there are no others.

        Code of a module that is none of them may have changed what one of them made, or said first
        what one of them changes of what a detector knows.
        """
        has = self.interpreter.project.graph.has
        return all(
            has(world, maker) == has(world, path)
            for maker, paths in self.reads.changers.items()
            for path in paths
        )

    def strangers(self, world: int) -> int:
        """Files that are none of some files, and take part in changes among those.

        Whoever has changed anything is one of them: most sets of files have the same strangers.
        """
        graph = self.interpreter.project.graph
        found: set[Path] = set()
        for maker, paths in self.reads.changers.items():
            found |= paths
            if any(graph.has(world, path) for path in paths):
                found.add(maker)
        return sum(graph.bit(path) for path in found if not graph.has(world, path))

    def _take_calls(self) -> frozenset[Use]:
        """What was called since this was last asked: each module says for itself what it calls."""
        called = self.progress().called
        self.interpreter.called.clear()
        self.interpreter.observations(Applied).seen.clear()
        return called

    def sites(self) -> dict[Name, JitSite]:
        """The places that were seen to make jitted functions."""
        return {
            self._names.of_place(site.place): site
            for uses in self.uses.values()
            for site in uses.sites.values()
        }

    def applied(self, modules: Iterable[ModuleIndex]) -> dict[Path, dict[Identity, Unit]]:
        """The methods by which users apply modules of frameworks, by file."""
        found: dict[Path, dict[Identity, Unit]] = {}
        # What is found out here is not what other parts go on from: which modules there are besides
        # theirs is none of their business.
        it = self.interpreter.fork(Reads())
        for module in modules:
            if _belongs_to_tests(module):
                # What applies it is in sight.
                continue
            it.reads.world = it.project.graph.below(module.path)
            it.facts.clear()
            for cls in module.classes.values():
                for code, transform in applied_methods(it, Class(cls, module)):
                    name = self._names.of_code(code)
                    found.setdefault(module.path, {})[name, transform, name] = code.unit
        return found

    def fork(
        self,
        code: Sequence[Unit],
        units: Sequence[Unit],
        assumed: Sequence[AssumedUnit],
        applied: AppliedUnits,
        reads: Reads,
        on_failure: OnFailure,
    ) -> FilePart:
        """The part of some starting points, on top of this one."""
        return FilePart(self, code, units, assumed, applied, reads, self._identities, on_failure)


class FilePart(Part):
    """What starts in one file: its functions, and its own code if nothing imports it.

    Args:
      modules: the code of modules that others import, which was run.
      code: the statements of the file, if it is a program.
      units: the functions that are starting points.
      assumed: functions that are traced by somebody else.
      applied: methods of modules that are traced where users apply them, if they are nowhere else.
      reads: takes down what is read.
      identities: says what transformed functions are called.
      on_failure: told about a unit whose interpretation failed inside jitlint.
    """

    def __init__(
        self,
        modules: ModulePart,
        code: Sequence[Unit],
        units: Sequence[Unit],
        assumed: Sequence[AssumedUnit],
        applied: AppliedUnits,
        reads: Reads,
        identities: Identities,
        on_failure: OnFailure,
    ) -> None:
        begun = ProgramReads(reads) if code else reads
        super().__init__(modules.interpreter.fork(begun), identities, on_failure)
        #: has run the code of the file
        self._program: Interpreter | None = None
        #: whether an import of the file fails
        self._raises = False
        self._code = code
        self._units = units
        self._assumed = assumed
        self._applied = applied
        self.reads = reads

    @property
    def interpreters(self) -> list[Interpreter]:
        """Those that have run what belongs to this part, one on top of the other."""
        own = super().interpreters
        return own if self._program is None else [self._program, *own]

    def run(self, step: Callable[[], None]) -> Progress:
        """Interpret the starting points."""
        with self._listening(self.reads):
            if self._never_runs():
                return self.progress()
            if self._code:
                self._run_code(step)
            for unit in self._units:
                self.reads.read(unit.module)
                self._roots.run(unit)
                step()
            for entry in self._assumed:
                self.reads.read(entry.unit.module)
                self._roots.assume(entry.unit, entry.static)
            for unit in self._units:
                self._roots.vary(unit)
        return self.progress()

    def _never_runs(self) -> bool:
        """Whether the file raises as it is run, or imported, so that nothing starts in it."""
        starting = (*self._code, *self._units, *(entry.unit for entry in self._assumed))
        started = next(iter((*starting, *self._applied.values())), None)
        if started is None:
            return False
        self.reads.read(started.module)
        failing = failing_import(self.interpreter.project, started.module)
        if failing is not None:
            self._roots.leave_out(failing)
        self._raises = failing is not None
        return self._raises

    def _run_code(self, step: Callable[[], None]) -> None:
        """Run the code of the file; functions go on from what it has made."""
        it = self.interpreter
        left = it.limits.module_steps
        for unit in self._code:
            self.reads.read(unit.module)
            with it.reads.of(it, unit.module, unit.key):
                left -= self._roots.run_code(unit, left)
            step()
        it.reads.finish()
        self._program, self.interpreter = it, it.fork(self.reads)
        self._roots = Roots(self.interpreter, self._roots.on_failure)

    def trace(self, identities: Iterable[Identity]) -> Progress:
        """Trace transformed functions that nobody has called, in this order."""
        if self._raises:
            return self.progress()
        it = self.interpreter
        # What a place makes without anybody in sight who says of what comes last, and counts once.
        waiting: dict[Identity, dict[object, Transformed]] = {}
        for made in it.inherited:
            apart = waiting.setdefault(self._identities.of(made), {})
            if len(apart) < MADE_APART:
                apart[made] = made
        for made in it.transformed:
            # A method of a base class is bound to objects of several classes.
            waiting.setdefault(self._identities.of(made), {})[receiver_class(it, made)] = made
        with self._listening(self.reads):
            for identity in identities:
                if identity in self._applied:
                    self._apply(identity)
                    continue
                made_there = waiting[identity].values()
                keys = set(map(use_key, made_there))
                if any(not keys.isdisjoint(each.called) for each in self.interpreters):
                    continue
                for made in made_there:
                    self._roots.trace(made)
        return self.progress()

    def _apply(self, identity: Identity) -> None:
        """Trace a method of a module, unless another module has led to it by now."""
        unit = self._applied[identity]
        code = self.interpreter.store.of_unit(unit)
        if all(id(code) not in it.observations(Applied).seen for it in self.interpreters):
            self.reads.read(unit.module)
            self._roots.apply(unit, identity[1])
