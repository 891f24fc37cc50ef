"""Puts the parts of an analysis together.

The code of modules that others import is run each time, which takes little of the whole.  What
starts in a file, its functions and the code that runs where it is started, is interpreted by
itself, on top of that.  Where there is a cache, what came of it is kept with all that it read, and
taken from there for as long as it would read the same.  What parts tell each other (which
transformed functions they made and called, and how) is put together in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from jitlint.absint.assembly import interpreter
from jitlint.absint.code.functions import Code
from jitlint.absint.limits import Limits
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.reads import Reads, ShareReads
from jitlint.analysis.children import Children
from jitlint.analysis.counting import Count
from jitlint.analysis.options import AnalysisOptions
from jitlint.analysis.outcomes import Outcome
from jitlint.analysis.parts import failures
from jitlint.analysis.parts.agenda import Agenda, Identity
from jitlint.analysis.parts.jit_uses import SharedUses, export, named_verdicts
from jitlint.analysis.parts.listings import Listing
from jitlint.analysis.parts.part import Identities, ModulePart
from jitlint.analysis.parts.places import LocalNames, Name, PlaceNames
from jitlint.analysis.parts.reports import Report, Reporter, chosen
from jitlint.analysis.parts.stored_parts import StoredParts
from jitlint.analysis.parts.validity import Foundations
from jitlint.analysis.recalled import Recalled, recall
from jitlint.analysis.results import JUDGED, OutdatedPart, PartResult, Turn
from jitlint.analysis.selected import Selected
from jitlint.analysis.whole_readings import add_readings
from jitlint.analysis.workers import LocalWork, Work, parsed_sizes
from jitlint.cache.folder import digest
from jitlint.diagnostics import Diagnostic, OmissionReport
from jitlint.foundation.interruption import checkpoint
from jitlint.project.reading import into, note
from jitlint.project.units import Unit
from jitlint.recall.readings import CHOSEN, Fingerprints, RunReadings
from jitlint.tracing.assumed import assumed_units
from jitlint.tracing.order import in_order

if TYPE_CHECKING:
    from jitlint.analysis.options import AnalysisOptions

#: the number of the part that is the code of all modules
_MODULES = -1


def _rows(units: Iterable[Unit]) -> int:
    return sum(unit.last - unit.first + 1 for unit in units)


def _tells(part: ModulePart, key: tuple[int, str], paths: Set[Path]) -> bool:
    """Whether code of one of some modules has led to an event; what is judged nobody else has."""
    tellers = part.told_by(key)
    return not tellers or not paths.isdisjoint(tellers)


class Coordinator:
    """Puts the parts of one analysis together.

    Args:
      selection: what it is of.
      options: choices.
      store: knows parts of earlier runs, and is told those of this one.
      count: told of each starting point that is done.
    """

    def __init__(
        self, selection: Selected, options: AnalysisOptions, store: StoredParts | None, count: Count
    ) -> None:
        inputs = selection.inputs
        project, named = inputs.project, inputs.named
        self.project = project
        self.graph = project.graph
        self.named = named
        self.store = store
        self.count = count
        self.options = options
        self.starts = inputs.starts
        self.limits = Limits().scaled(options.budget_scale)
        self.selection = selection
        modules = selection.modules
        every = [unit for module in modules for unit in module.units]
        chosen_units = every if options.everything else list(self.selection.units.values())
        self.fingerprints = Fingerprints(project, self.selection.is_followed)
        in_files = in_order(chosen_units, modules, self.graph.is_program)
        self.module_units = in_files.imported
        self.code_units = {p: units for p, units in in_files.started.items() if p in self.starts}
        self.assumed = assumed_units(project, modules, options.assume_traced)
        # What a program does says more of a function than what that does by itself.
        self.file_units = {
            path: in_files.functions.get(path, [])
            for path in dict.fromkeys((*self.code_units, *in_files.functions, *self.assumed))
            if path in self.starts
        }
        starting = chain(self.code_units.values(), self.file_units.values())
        count.total += len(self.module_units) + sum(map(len, starting))
        it = interpreter(project, self.limits, self._may_inline, options.transforms)
        it.modules = modules
        it.lists_functions = options.listing
        #: whether what is seen of a part leaves this process
        self.travels = store is not None or options.jobs > 1
        self.names: LocalNames = PlaceNames(project, it.store) if self.travels else LocalNames()
        # What is kept is about every file, whichever are to be reported on.
        self.reporter = Reporter(project, named if store is None else set(inputs.files))
        self.errors: list[Diagnostic] = []
        #: an interpreter that has not run anything
        self._unused = it.fork(Reads())
        self.modules = ModulePart(it, Identities(self.names), self._failed)
        #: the code of modules by what may be there, where others change what these make
        self._apart: dict[int, ModulePart] = {}
        #: the same by all files but those that change something without being there
        self._without_strangers: dict[int, ModulePart] = {}
        self.recalled = Recalled({}, {})
        self._digests: dict[int, str] = {}
        self._known_foundations: dict[ModulePart, Foundations] = {}
        self._works: list[LocalWork] = []

    def _may_inline(self, code: Code) -> bool:
        """Host code is followed where it can matter: selected, or short."""
        unit = code.unit
        note(unit, CHOSEN)
        limits = self.limits
        most = limits.inline_constructors if unit.name == "__init__" else limits.inline_statements
        return self.selection.is_followed(unit) or unit.statements <= most

    def _failed(self, unit: Unit, error: Exception) -> None:
        self.errors.append(failures.internal_error(unit, error))

    def prepare(self) -> None:
        """Run the code of modules, and find out what is known of the rest."""
        self.modules.run(self.module_units, self.count.step)
        self.agenda = Agenda(self.graph.bit, self.graph.above)
        #: by module, its code as it is where there is nothing but what may be there
        self.code = {
            path: self._modules_of(path) for path in self.modules.uses if path in self.starts
        }
        for path, part in self.code.items():
            self.agenda.call(path, part.called[path])
        self.module_reports = self._of_modules(0)
        self.owned: dict[Path, list[Identity]] = {}
        made = [self._modules_of(path).made for path in sorted(self.starts)]
        for identity in dict.fromkeys(chain(self.modules.made, *made)):
            path = Path(identity[0][0])
            if path not in self.starts or identity not in self._modules_of(path).made:
                continue
            self.file_units.setdefault(path, [])
            self.agenda.own(identity, path)
            if not self.agenda.is_called(identity, self.graph.above(path)):
                self.owned.setdefault(path, []).append(identity)
        starts = [each for each in self.selection.modules if each.path in self.starts]
        self.applied = self.modules.applied(starts)
        for path, units in self.applied.items():
            self.file_units.setdefault(path, [])
            self.owned.setdefault(path, []).extend(units)
            for identity in units:
                self.agenda.own_last(identity, path)
        if self.store is not None:
            now = self.named if self.options.early else None
            with into(None):
                # Whoever asks for more than records say will ask for that by himself.
                self.recalled = recall(self.store, self.file_units, self._foundations, now)
        self.parts = self._parts()

    def _starts(self, path: Path) -> str:
        """A name for what starts in a file."""
        units = self.file_units.get(path, ())
        assumed = [(entry.unit.key, entry.static) for entry in self.assumed.get(path, ())]
        applied = [identity[:2] for identity in self.applied.get(path, ())]
        # What it may look for is what it leads to.
        below = self._names_of(self.graph.below(path))
        code = [unit.key for unit in self.code_units.get(path, ())]
        return repr((code, [unit.key for unit in units], assumed, applied, below))

    def _names_of(self, files: int) -> str:
        """A name for some files, a bit for each."""
        known = self._digests.get(files)
        if known is None:
            known = self._digests[files] = digest(*map(str, self.graph.those(files)))
        return known

    def _modules_of(self, path: Path) -> ModulePart:
        """The code of modules as it is for what starts in a file."""
        world = self.graph.around(path)
        known = self._apart.get(world)
        if known is None:
            known = self.modules
            # Most files have the same strangers, and are served by one run without those.
            for kept, files in (self._without_strangers, ~known.strangers(world)), ({}, world):
                if not known.is_whole(world):
                    known = kept.get(files) or self.modules.apart(
                        self._unused.fork(Reads()), self.module_units, files
                    )
                    kept[files] = known
            self._apart[world] = known
        return known

    def _of_modules(self, turn: int) -> list[tuple[Turn, Report]]:
        """What is new of what the code of modules reports."""
        found: list[tuple[Turn, Report]] = []
        for part in dict.fromkeys((self.modules, *self.code.values())):
            paths = {path for path, other in self.code.items() if other is part}
            events = part.new_events(lambda key, p=part, some=paths: _tells(p, key, some))  # type: ignore[misc]
            found += [((turn, _MODULES), report) for report in self.reporter.reports(events)]
        return found

    def _foundations(self, path: Path) -> Foundations:
        """What the results of what starts in a file rest on."""
        part = self._modules_of(path)
        known = self._known_foundations.get(part)
        if known is None:
            known = Foundations(part.interpreter, part.reads, self.fingerprints, self._starts)
            self._known_foundations[part] = known
        return known

    # -- who does what ----------------------------------------------------------------------------

    def waiting(self) -> list[Path]:
        """The files whose functions must be interpreted."""
        known = self.recalled
        return [p for p in self.file_units if p not in known.records and p not in known.outdated]

    def _parts(self) -> dict[Path, PartResult]:
        return {
            path: self._part(number, path, self.work(path, self.count.step))
            for number, path in enumerate(self.file_units)
        }

    def _part(self, number: int, path: Path, work: Work) -> PartResult:
        outdated = self.recalled.outdated.get(path)
        if outdated is not None:
            return OutdatedPart(number, path, outdated, work)
        return PartResult(number, path, self.recalled.records.get(path), work)

    def rows(self, path: Path) -> tuple[int, int]:
        """How many rows start in a file, and how many are traced there once all else is."""
        assumed = (entry.unit for entry in self.assumed.get(path, ()))
        starts = chain(self.code_units.get(path, ()), self.file_units[path], assumed)
        return _rows(starts), _rows(self.applied.get(path, {}).values())

    def run_here(self) -> Outcome:
        """Do the rest in this process, all of it."""
        self.parts = self._parts()
        return self.run()

    def take(self, path: Path, work: Work) -> None:
        """Another process has begun what there is to do in a file."""
        part = self.parts[path]
        part.work = work
        part.begin()
        self._keep(part)

    def work(self, path: Path, step: Callable[[], None]) -> LocalWork:
        """What there is to do in a file, for whoever does it."""
        reads = ShareReads if self.travels else Reads
        world = self.graph.around(path)
        code = self.code_units.get(path, ())
        units, assumed = self.file_units[path], self.assumed.get(path, ())
        applied = self.applied.get(path, {})
        work = LocalWork(
            lambda failed: self._modules_of(path).fork(
                code, units, assumed, applied, reads(world), failed
            ),
            self.reporter,
            self.names,
            None if self.store is None else self.fingerprints,
            self.owned.get(path, ()),
            step,
        )
        self._works.append(work)
        return work

    def dismantle(self) -> None:
        """Take apart what was interpreted, so that it goes at once, and not when Python looks."""
        self.modules.interpreter.store.dismantle()
        for work in self._works:
            work.dismantle()
        for part in {self.modules, *self._apart.values(), *self._without_strangers.values()}:
            part.dismantle()
        self._unused.dismantle()
        vars(self).clear()

    # -- putting together -------------------------------------------------------------------------

    def run(self, children: Children | None = None, number: int = 0) -> Outcome:
        """Put the parts together.

        Args:
          children: those that have begun some of them.
          number: of this analysis among those that they work on.
        """
        parts = list(self.parts.values())
        agenda = self.agenda
        for part in parts:
            agenda.add(part.path, part.begin())
            self._keep(part)
        turn = 0
        while chosen_now := agenda.next_round():
            for path, identity in chosen_now:
                self.parts[path].expect([identity])
            for path, identity in chosen_now:
                if not agenda.is_called(identity, self.graph.above(path)):
                    turn += 1
                    # One by one: what is told of each must not depend on what others are traced.
                    agenda.add(path, self.parts[path].trace(turn, [identity]))
        judged = self._judge(parts)
        diagnostics = self._diagnostics(parts, judged)
        sizes = parsed_sizes(self.modules.interpreter)
        if children is not None:
            sizes.update(children.parsed(number))
        files = set(map(str, self.project.files))
        parsed = sum(size for (path, *_), size in sizes.items() if path in files)
        listing, omissions = self._listing(parts), self._omissions(parts)
        code = (self.modules, *self._apart.values(), *self._without_strangers.values())
        early = bool(self.recalled.outdated)
        read = RunReadings()
        if self.store is not None and not early:
            add_readings(read, parts, code, self.fingerprints)
        return Outcome(diagnostics, parsed, listing, omissions, self.dismantle, early, read)

    def _judge(self, parts: Sequence[PartResult]) -> list[tuple[Turn, Report]]:
        """Judge what is made again and again; the part that saw it first reports it.

        Returns:
          What the code of modules reports.
        """
        made_by_modules = any(part.uses[path].sites for path, part in self.code.items())
        if not made_by_modules and not any(part.makes for part in parts):
            return []
        sources: list[tuple[ModulePart | PartResult, int, SharedUses]] = [
            (part, self.graph.bit(path), export(part.uses[path], self.names))
            for path, part in self.code.items()
        ]
        sources += [(part, self.graph.bit(part.path), part.uses()) for part in parts]
        #: the files in which something is made, by what may be seen of that and where
        files: dict[tuple[int, int], set[str]] = {}
        judged = self.named if self.store is None or self.recalled.outdated else self.starts
        for name in dict.fromkeys(place[0] for *_, uses in sources for place in uses.sites):
            path = Path(name)
            if path in judged:
                seen = self.graph.above(path), self.graph.around(path)
                files.setdefault(seen, set()).add(name)
        for (above, around), names in files.items():
            self._judge_in(names, [each for each in sources if each[1] & above], around)
        return self._of_modules(JUDGED)

    def _judge_in(
        self,
        files: set[str],
        sources: Sequence[tuple[ModulePart | PartResult, int, SharedUses]],
        around: int,
    ) -> None:
        """Judge what is made in some files.

        Args:
          files: their names.
          sources: what those parts saw that can lead there.
          around: what may be in one process with them.
        """
        checkpoint()
        every = SharedUses()
        owners: dict[Name, ModulePart | PartResult] = {}
        for part, _, uses in sources:
            every.add(uses)
            for place in uses.sites:
                owners.setdefault(place, part)
        every.sites = {place: made for place, made in every.sites.items() if place[0] in files}
        if not every.sites:
            return
        modules = [each for each in self.selection.modules if self.graph.has(around, each.path)]
        for place, verdict in named_verdicts(every, modules, self.names):
            owners[place].judge(place, verdict)

    def _diagnostics(
        self, parts: Sequence[PartResult], judged: list[tuple[Turn, Report]]
    ) -> list[Diagnostic]:
        """Report on everything, and keep what is new."""
        unsupported = dict(self.modules.interpreter.unsupported)
        for modules in self._apart.values():
            unsupported.update(modules.interpreter.unsupported)
        found = self.module_reports + judged
        errors = list(self.errors)
        for part in parts:
            has = partial(self._leads_to, part.path)
            found += part.reports(partial(self._counts, part.path))
            errors += [error for error in part.errors if has(error.filename)]
            if part.known is None:
                own = {(str(path), row): said for (path, row), said in self._finish(part).items()}
            else:
                own = dict(part.known.unsupported)
            unsupported.update(
                ((Path(path), row), said) for (path, row), said in own.items() if has(path)
            )
        found.sort(key=lambda item: item[0])
        shown = [*errors]
        shown += [failures.unsupported(*place, said) for place, said in unsupported.items()]
        for report in chosen(report for _, report in found):
            shown += report.diagnostics
        names = {str(path) for path in self.named}
        return [item for item in shown if item.filename in names]

    def _leads_to(self, path: Path, other: str | Path) -> bool:
        """Whether what starts in a file says something of another."""
        return self.graph.has(self.graph.below(path), Path(other))

    def _counts(self, path: Path, asked: Sequence[Identity], report: Report) -> bool:
        """Whether a report counts of what starts in a file.

        Args:
          path: the file.
          asked: what it was asked to trace, since nobody who leads to it was known to call that.
          report: what it says.
        """
        where = Path(report.key[0][0])
        above = self.graph.above(where) & ~self.graph.above(path)
        called = any(self.agenda.is_called(identity, above) for identity in asked)
        return not called and self._leads_to(path, where)

    def _finish(self, part: PartResult) -> Mapping[tuple[Path, int], str]:
        """Keep what came of a part that was interpreted; what libcst refused in it."""
        reads = part.state.reads
        for path in reads.modules:
            # What is wrong with it another process may have found.
            self.project.module_at(path)
        if self.store is not None:
            self.store.interpreted.append(part.path)
            self._keep(part)
        return reads.unsupported

    def _keep(self, part: PartResult) -> None:
        """Keep what came of a part so far: the run may be ended at any time."""
        if self.store is None or part.is_kept or part.errors:
            return
        checkpoint()
        part.is_kept = True
        record = part.record(self._starts(part.path), self._foundations(part.path))
        for file in part.files_named(record.unsupported):
            self.store.layouts.keep(self.project, file, record.sources[file])
        self.store.keep(part.path, record)

    def _omissions(self, parts: Sequence[PartResult]) -> Callable[[], tuple[OmissionReport, ...]]:
        if self.options.omissions:
            # Other processes end with this run.
            known = tuple(self._left_out(parts))
            return lambda: known
        here = [p for p in parts if p.known is None and isinstance(p.work, LocalWork)]
        return lambda: tuple(self._left_out(here))

    def _left_out(self, parts: Iterable[PartResult]) -> list[OmissionReport]:
        """What was left out of the targets, each place once, sorted."""
        found = set[OmissionReport]()
        for modules in (self.modules, *self._apart.values()):
            left_out = self.reporter.left_out(modules.interpreter.omissions.values(), self.names)
            found.update(self.reporter.omissions(left_out, self.names))
        for part in parts:
            has = partial(self._leads_to, part.path)
            left_out = tuple(each for each in part.omissions() if has(each.place[0]))
            found.update(self.reporter.omissions(left_out, self.names))
        names = {str(path) for path in self.named}
        return sorted(item for item in found if item.filename in names)

    def _listing(self, parts: Sequence[PartResult]) -> Callable[[], Listing] | None:
        if not self.options.listing:
            return None
        modules = dict.fromkeys((self.modules, *self._apart.values()))
        interpreters: list[tuple[Interpreter, int]] = [(each.interpreter, -1) for each in modules]
        for part in parts:
            if part.known is not None or not isinstance(part.work, LocalWork):
                return None
            own = part.work.part.interpreters
            interpreters += ((it, self.graph.below(part.path)) for it in own)
        return lambda: Reporter(self.project, self.named).listing(interpreters, self.starts)
