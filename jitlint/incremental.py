"""An analysis by parts of which some are known from an earlier run.

The code of all modules is run each time, which takes a twentieth of the whole.  What starts in a
file is interpreted by itself, on top of that; what came of it is kept with all that it read, and
taken from there for as long as it would read the same.  What parts tell each other (which
transformed functions they made and called, and how) is put together in every run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jitlint.cache.folder import digest
from jitlint.cache.parts import PartCache, PartRecord, Segment
from jitlint.engine import EventReports, parsed_sizes
from jitlint.parallel import Report, chosen
from jitlint.tracing.file_shares import FilePart, ModulePart, Part, effective
from jitlint.tracing.named_uses import named_verdicts
from jitlint.tracing.places import Name, PlaceNames
from jitlint.tracing.shared_uses import SharedUses
from jitlint.tracing.sharing import Agenda, Identity, Progress

if TYPE_CHECKING:
    from jitlint.absint.compilation import Verdict
    from jitlint.absint.reads import ModuleReads
    from jitlint.cache.folder import PartFolder
    from jitlint.project.index import Unit
    from jitlint.tracing.discovery import Discovery

_JUDGED = 1 << 30
#: the number of the part that is the code of all modules
_MODULES = -1


def run_in_parts(
    discovery: Discovery,
    reports: EventReports,
    cache: PartFolder,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Run an analysis.

    Args:
      discovery: the analysis, not yet run.
      reports: collects what is found.
      cache: knows parts of earlier runs, and is told those of this one.
      progress: told how many of how many starting points are done.
    """
    _Analysis(discovery, reports, PartCache(cache), progress).run()


class _Analysis:
    def __init__(
        self,
        discovery: Discovery,
        reports: EventReports,
        cache: PartCache,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.discovery = discovery
        self.cache = cache
        self.reports = reports
        # What is kept is about every file, whichever are to be reported on.
        self.every = EventReports(reports.project, set(reports.project.files))
        discovery.on_failure = self.every.internal_error
        self.names = PlaceNames()
        self.progress = progress
        self.done = discovery.module_level

    def run(self) -> None:
        """Run what has to be run, and report on everything."""
        discovery = self.discovery
        modules = ModulePart(discovery, self.names)
        made = modules.run(self.progress)
        found = [self._judged((0, _MODULES), modules)]
        parts = self._parts(modules, made)
        agenda = Agenda()
        numbers = {part.path: number for number, part in enumerate(parts)}
        for identity in made.made:
            agenda.own(identity, numbers[Path(identity[0][0])])
        agenda.called |= made.called
        for number, part in enumerate(parts):
            agenda.add(number, part.begin())
        turn = 0
        while turns := agenda.next_round():
            for number, identities in turns:
                turn += 1
                wanted = effective(identities, agenda.called)
                if wanted:
                    agenda.add(number, parts[number].trace(turn, wanted))
        self._judge(modules, parts, found)
        for part in parts:
            found.append(part.reports)
        self._merge(modules, parts, found)
        for part in parts:
            if part.live is not None and not part.failed:
                self.cache.keep(part.path, part.record(self.state))

    def _parts(self, modules: ModulePart, made: Progress) -> list[_Part]:
        """A part for each file in which something starts, in the order of a single process."""
        units: dict[Path, list[Unit]] = {}
        for unit in self.discovery.units[self.discovery.module_level :]:
            units.setdefault(unit.module.path, []).append(unit)
        for identity in made.made:
            units.setdefault(Path(identity[0][0]), [])
        self.state = _State(self.discovery, modules.reads)
        parts = []
        for number, (path, own) in enumerate(units.items()):
            record = self.cache.find(path)
            if record is not None and not self.state.holds(record):
                record = None
            parts.append(_Part(self, number, path, own, record))
        return parts

    def _judge(self, modules: ModulePart, parts: list[_Part], found: list[list[Report]]) -> None:
        """Judge what is made again and again; the part that saw it first reports it."""
        every = SharedUses()
        own = modules.uses()
        owners: dict[Name, int] = dict.fromkeys(own.makings, _MODULES)
        every.add(own)
        for part in parts:
            uses = part.uses()
            for place in uses.makings:
                owners.setdefault(place, part.number)
            every.add(uses)
        for place, verdict in named_verdicts(every, self.discovery.interpreter.modules):
            number = owners[place]
            if number == _MODULES:
                modules.judge(place, verdict)
            else:
                parts[number].judge(place, verdict)
        found.append(self._judged((_JUDGED, _MODULES), modules))

    def _judged(self, turn: tuple[int, int], part: Part) -> list[Report]:
        """The new events of a part as reports."""
        return [
            Report(
                key,
                turn,
                event.certain,
                bool(getattr(event, "traced", False)),
                tuple(self.every.judged(event)),
            )
            for key, event in part.new_events()
        ]

    def _merge(self, modules: ModulePart, parts: list[_Part], found: list[list[Report]]) -> None:
        reports = self.reports
        named = {str(path) for path in reports.named}
        unsupported = {
            path: (str(error), error.row) for path, error in modules.interpreter.unsupported.items()
        }
        reports.parsed.update(parsed_sizes(modules.interpreter))
        for part in parts:
            for path, problem in part.unsupported().items():
                unsupported.setdefault(path, problem)
        for path, (message, row) in unsupported.items():
            self.every.report_unsupported(path, message, row)
        shown = [*self.every.diagnostics]
        for report in chosen(report for part in found for report in part):
            shown += report.diagnostics
        reports.diagnostics += [item for item in shown if item.filename in named]

    def step(self) -> None:
        """A starting point is done."""
        self.done += 1
        if self.progress is not None:
            self.progress(min(self.done, len(self.discovery.units)), len(self.discovery.units))


class _Part:
    """What starts in one file: known from an earlier run until something new is asked of it."""

    def __init__(
        self,
        analysis: _Analysis,
        number: int,
        path: Path,
        units: list[Unit],
        record: PartRecord | None,
    ) -> None:
        self.analysis = analysis
        self.number = number
        self.path = path
        self.units = units
        self.known = record
        self.live: FilePart | None = None
        self.failed = False
        self.segments: list[Segment] = []
        self.verdicts: dict[tuple[Name, Verdict], tuple[Report, ...]] = {}
        self._uses: SharedUses | None = None

    def begin(self) -> Progress:
        """What the others need to know before anything is asked of this part."""
        if self.known is not None:
            for _ in self.units:
                self.analysis.step()
            self.segments = [self.known.segments[0]]
        else:
            self._start()
        return self.segments[0].progress

    def trace(self, turn: int, identities: list[Identity]) -> Progress:
        """Trace transformed functions that nobody has called."""
        if self.known is not None:
            number = len(self.segments)
            segments = self.known.segments
            if number < len(segments) and segments[number].asked == tuple(identities):
                self.segments.append(replace(segments[number], turn=turn))
                return segments[number].progress
            self._restart()
        self._trace(turn, identities)
        return self.segments[-1].progress

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        if self.known is not None:
            if len(self.segments) == len(self.known.segments):
                return self.known.uses
            # Less is asked than the last time, and what that told is not known by itself.
            self._restart()
        if self._uses is None:
            assert self.live is not None
            self._uses = self.live.uses()
        return self._uses

    def judge(self, place: Name, verdict: Verdict) -> None:
        """Report that something is made again and again."""
        if self.known is not None:
            reports = self.known.verdicts.get((place, verdict))
            if reports is not None:
                self.verdicts[place, verdict] = reports
                return
            self._restart()
        assert self.live is not None
        self.live.judge(place, verdict)
        self.verdicts[place, verdict] = tuple(
            self.analysis._judged((_JUDGED, self.number), self.live)
        )

    @property
    def reports(self) -> list[Report]:
        """Everything that this part reports."""
        found = [
            replace(report, turn=(segment.turn, self.number))
            for segment in self.segments
            for report in segment.reports
        ]
        for reports in self.verdicts.values():
            found += [replace(report, turn=(_JUDGED, self.number)) for report in reports]
        return found

    def unsupported(self) -> dict[Path, tuple[str, int]]:
        """Files with syntax that libcst does not know."""
        if self.known is not None:
            return self.known.unsupported
        assert self.live is not None
        found = self.live.interpreter.unsupported
        return {path: (str(error), error.row) for path, error in found.items()}

    def record(self, state: _State) -> PartRecord:
        """What a later run can take instead of interpreting this again."""
        assert self.live is not None
        reads = self.live.reads
        return PartRecord(
            {path: state.signature(path) for path in sorted(reads.modules)},
            dict(reads.lookups),
            dict(reads.words),
            tuple(self.segments),
            self.uses(),
            self.verdicts,
            self.unsupported(),
        )

    def _start(self) -> None:
        analysis = self.analysis
        before = len(analysis.every.diagnostics)
        self.live = FilePart(analysis.discovery, analysis.names, self.units)
        analysis.cache.interpreted.append(self.path)
        progress = self.live.run(analysis.step)
        reports = tuple(analysis._judged((0, self.number), self.live))
        self.segments = [Segment((), progress, reports)]
        self.failed = len(analysis.every.diagnostics) > before

    def _restart(self) -> None:
        """Interpret this after all, up to where the others are."""
        done, verdicts = self.segments, list(self.verdicts)
        self.known = None
        self.verdicts = {}
        self._start()
        for segment in done[1:]:
            self._trace(segment.turn, list(segment.asked))
        for place, verdict in verdicts:
            self.judge(place, verdict)

    def _trace(self, turn: int, identities: list[Identity]) -> None:
        assert self.live is not None
        before = len(self.analysis.every.diagnostics)
        progress = self.live.trace(identities)
        reports = tuple(self.analysis._judged((turn, self.number), self.live))
        self.segments.append(Segment(tuple(identities), progress, reports, turn))
        self.failed = self.failed or len(self.analysis.every.diagnostics) > before


class _State:
    """What the results of parts rest on, as it is in this run.

    Args:
      discovery: the analysis; the code of modules was run.
      reads: what that code read.
    """

    def __init__(self, discovery: Discovery, reads: ModuleReads) -> None:
        self._project = discovery.project
        self._modules = discovery.interpreter.modules
        self._reads = reads
        self._selected: dict[Path, list[tuple[int, int, str]]] = {}
        for unit in discovery.selection.units.values():
            where = (unit.first, unit.node.col_offset, unit.qualname)
            self._selected.setdefault(unit.module.path, []).append(where)
        self._digests: dict[Path, str] = {}
        self._signatures: dict[Path, str] = {}
        self._shared: dict[frozenset[Path], str] = {}
        self._words: dict[str, tuple[Path, ...]] = {}
        self._files = set(self._project.files)
        # Where the code of modules was too much to be run, what was left out hangs on all of it.
        self._whole = ""
        if discovery.interpreter.exhausted:
            paths = sorted(reads.turns)
            self._whole = digest(*map(self._digest, paths), *reads.order(paths))

    def holds(self, record: PartRecord) -> bool:
        """Whether a part would read what it read when it was interpreted."""
        return (
            all(self.signature(path) == known for path, known in record.modules.items())
            and all(
                self._project.locate(name, script) == found
                for (script, name), found in record.lookups.items()
            )
            and all(self._with_word(word) == paths for word, paths in record.words.items())
        )

    def signature(self, path: Path) -> str:
        """A name for what is taken from a module: its content, and what its own code makes."""
        known = self._signatures.get(path)
        if known is None:
            closure = self._reads.closure(path)
            known = self._shared.get(closure)
            if known is None:
                paths = sorted(closure)
                known = digest(
                    self._whole,
                    *map(str, paths),
                    *map(self._digest, paths),
                    *self._reads.order(paths),
                )
                self._shared[closure] = known
            self._signatures[path] = known
        return known

    def _digest(self, path: Path) -> str:
        """A name for the content of a module, and for what starts in it."""
        known = self._digests.get(path)
        if known is None:
            if path not in self._files:
                return ""
            text = self._project.text(path)
            module = self._project.module_at(path)
            known = digest(
                text if isinstance(text, str) else repr(text),
                "" if module is None else f"{module.name} {module.is_package}",
                repr(sorted(self._selected.get(path, ()))),
            )
            self._digests[path] = known
        return known

    def _with_word(self, word: str) -> tuple[Path, ...]:
        known = self._words.get(word)
        if known is None:
            known = tuple(module.path for module in self._modules if word in module.words)
            self._words[word] = known
        return known
