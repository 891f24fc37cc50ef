"""An analysis by parts of which some are known from an earlier run.

The code of all modules is run each time, which takes a twentieth of the whole.  What starts in a
file is interpreted by itself, on top of that; what came of it is kept with all that it read, and
taken from there for as long as it would read the same.  What parts tell each other (which
transformed functions they made and called, and how) is put together in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from jitlint.cache.folder import digest
from jitlint.cache.parts import PartCache, PartMemory, PartRecord, Parts, Segment
from jitlint.diagnostics import Diagnostic
from jitlint.engine import EventReports, parsed_sizes
from jitlint.forks import Channel, ForkLostError, Forks, can_fork
from jitlint.parallel import ROWS_PER_PROCESS, Report, chosen
from jitlint.tracing.file_shares import FilePart, ModulePart, Part, effective
from jitlint.tracing.named_uses import named_verdicts
from jitlint.tracing.places import Name, PlaceNames
from jitlint.tracing.shared_uses import SharedUses
from jitlint.tracing.sharing import Agenda, Identity, Progress, unit_rows

if TYPE_CHECKING:
    from jitlint.absint.detectors.compilation import Verdict
    from jitlint.absint.machine.reads import ModuleReads
    from jitlint.cache.folder import PartFolder
    from jitlint.project.index import Unit
    from jitlint.tracing.discovery import Discovery

_JUDGED = 1 << 30
#: the number of the part that is the code of all modules
_MODULES = -1


def run_in_parts(
    discovery: Discovery,
    reports: EventReports,
    cache: PartFolder | PartMemory,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Run an analysis.

    Args:
      discovery: the analysis, not yet run.
      reports: collects what is found.
      cache: knows parts of earlier runs, and is told those of this one.
      jobs: the most processes; how many they are makes no difference to what is found.
      progress: told how many of how many starting points are done.
    """
    parts: Parts = cache if isinstance(cache, PartMemory) else PartCache(cache)
    if isinstance(cache, PartMemory):
        cache.forget_others(discovery.project.files)
    analysis = _Analysis(discovery, reports, parts, progress)
    analysis.prepare()
    try:
        finished = jobs > 1 and analysis.run_shared(jobs)
    except (ForkLostError, OSError):
        finished = False
    if not finished:
        analysis.run_here()


class _Analysis:
    def __init__(
        self,
        discovery: Discovery,
        reports: EventReports,
        cache: Parts,
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
        self.modules = ModulePart(discovery, self.names)

    def prepare(self) -> None:
        """Run the code of modules, and find out what is known of the rest."""
        self.made = self.modules.run(self.progress)
        self.errors = list(self.every.diagnostics)
        self.first_reports = judged(self.every, self.modules)
        self.state = _State(self.discovery, self.modules.reads)
        self.units: dict[Path, list[Unit]] = {}
        for unit in self.discovery.units[self.discovery.module_level :]:
            self.units.setdefault(unit.module.path, []).append(unit)
        for identity in self.made.made:
            self.units.setdefault(Path(identity[0][0]), [])
        self.records: dict[Path, PartRecord] = {}
        for path in self.units:
            record = self.cache.find(path)
            if record is not None and self.state.holds(record):
                self.records[path] = record

    def run_here(self) -> None:
        """Do the rest in this process."""
        self._run({})

    def run_shared(self, jobs: int) -> bool:
        """Do the rest in several processes, if it is worth that.

        Raises:
          ForkLostError, OSError: a child was lost; nothing is reported yet.
        """
        waiting = [path for path in self.units if path not in self.records]
        rows = [sum(unit_rows(unit) for unit in self.units[path]) for path in waiting]
        count = min(jobs, sum(rows) // ROWS_PER_PROCESS, len(waiting))
        if count < 2 or not can_fork():
            return False
        shares: list[list[Path]] = [[] for _ in range(count)]
        loads = [0] * count
        # The largest first, each to whoever has the least to do.
        for size, path in sorted(zip(rows, waiting, strict=True), reverse=True):
            least = loads.index(min(loads))
            loads[least] += size
            shares[least].append(path)

        def task(number: int, channel: Channel) -> None:
            self._serve(shares[number], channel)

        with Forks(task, count) as forks:
            firsts: dict[Path, _Work] = {}
            for number, message in forks.any_order():
                if message is None:
                    self._step()
                    continue
                path, answer = message
                firsts[path] = _There(forks.channels[number], shares[number].index(path), answer)
                if len(firsts) == len(waiting):
                    break
            self._run(firsts)
        return True

    def _serve(self, paths: list[Path], channel: Channel) -> None:
        """What a child does: its share, then what the parent asks for."""
        works = []
        for path in paths:
            work = self._here(path, lambda: channel.send(None))
            works.append(work)
            channel.send((path, work.begin()))
        while True:
            number, what, arguments = channel.receive()
            channel.send(getattr(works[number], what)(*arguments))

    def _here(self, path: Path, step: Callable[[], None]) -> _Here:
        return _Here(self.discovery, self.every, self.names, self.units[path], step)

    def _run(self, works: dict[Path, _Work]) -> None:
        """Put the parts together.

        Args:
          works: those that other processes have begun.
        """
        parts = [
            _Part(
                number,
                path,
                units,
                self.records.get(path),
                works.get(path) or self._here(path, self._step),
            )
            for number, (path, units) in enumerate(self.units.items())
        ]
        agenda = Agenda()
        numbers = {part.path: part.number for part in parts}
        for identity in self.made.made:
            agenda.own(identity, numbers[Path(identity[0][0])])
        agenda.called |= self.made.called
        for part in parts:
            agenda.add(part.number, part.begin())
        turn = 0
        while turns := agenda.next_round():
            for number, identities in turns:
                turn += 1
                wanted = effective(identities, agenda.called)
                if wanted:
                    agenda.add(number, parts[number].trace(turn, wanted))
        self._judge(parts)
        self._finish(parts)

    def _judge(self, parts: list[_Part]) -> None:
        """Judge what is made again and again; the part that saw it first reports it."""
        every = SharedUses()
        own = self.modules.uses()
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
                self.modules.judge(place, verdict)
            else:
                parts[number].judge(place, verdict)

    def _finish(self, parts: list[_Part]) -> None:
        """Report on everything, and keep what is new."""
        reports = self.reports
        found = [replace(report, turn=(0, _MODULES)) for report in self.first_reports]
        found += [
            replace(report, turn=(_JUDGED, _MODULES)) for report in judged(self.every, self.modules)
        ]
        it = self.modules.interpreter
        unsupported = {path: (str(error), error.row) for path, error in it.unsupported.items()}
        reports.parsed.update(parsed_sizes(it))
        errors = list(self.errors)
        for part in parts:
            found += part.reports
            errors += part.errors
            if part.known is not None:
                own = part.known.unsupported
            else:
                reads = part.work.reads()
                own = reads.unsupported
                reports.parsed.update(reads.parsed)
                self.cache.interpreted.append(part.path)
                # Also names what was read of broken files, which another process may have found.
                record = part.record(reads, self.state)
                if not part.errors:
                    self.cache.keep(part.path, record)
            for path, problem in own.items():
                unsupported.setdefault(path, problem)
        self.every.diagnostics.clear()
        for path, (message, row) in unsupported.items():
            self.every.report_unsupported(path, message, row)
        shown = [*errors, *self.every.diagnostics]
        for report in chosen(found):
            shown += report.diagnostics
        named = {str(path) for path in reports.named}
        reports.diagnostics += [item for item in shown if item.filename in named]

    def _step(self) -> None:
        """A starting point is done."""
        self.done += 1
        if self.progress is not None:
            self.progress(min(self.done, len(self.discovery.units)), len(self.discovery.units))


@dataclass
class _Reads:
    """What a part read, and what could not be done."""

    modules: set[Path]
    lookups: dict[tuple[Path | None, str], Path | None]
    words: dict[str, tuple[Path, ...]]
    unsupported: dict[Path, tuple[str, int]]
    parsed: dict[Any, int]


#: what came of a request: what the others need to know, reports, internal errors
_Answer = tuple[Progress, tuple[Report, ...], list[Diagnostic]]


class _Work(Protocol):
    """A part that is being interpreted, here or in another process."""

    def begin(self) -> _Answer:
        """Interpret the starting points."""

    def trace(self, identities: Sequence[Identity]) -> _Answer:
        """Trace transformed functions that nobody has called."""

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""

    def reads(self) -> _Reads:
        """What was read until now."""


class _Here:
    """Work that is done in this process."""

    def __init__(
        self,
        discovery: Discovery,
        every: EventReports,
        names: PlaceNames,
        units: Sequence[Unit],
        step: Callable[[], None],
    ) -> None:
        self._discovery = discovery
        self._every = every
        self._names = names
        self._units = units
        self._step = step
        self._begun: FilePart | None = None

    @property
    def _part(self) -> FilePart:
        if self._begun is None:
            self._begun = FilePart(self._discovery, self._names, self._units)
        return self._begun

    def begin(self) -> _Answer:
        """Interpret the starting points."""
        return self._answer(lambda: self._part.run(self._step))

    def trace(self, identities: Sequence[Identity]) -> _Answer:
        """Trace transformed functions that nobody has called."""
        return self._answer(lambda: self._part.trace(identities))

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""
        self._part.judge(place, verdict)
        return judged(self._every, self._part)

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        return self._part.uses()

    def reads(self) -> _Reads:
        """What was read until now."""
        it, reads = self._part.interpreter, self._part.reads
        unsupported = {path: (str(error), error.row) for path, error in it.unsupported.items()}
        return _Reads(reads.modules, reads.lookups, reads.words, unsupported, parsed_sizes(it))

    def _answer(self, action: Callable[[], Progress]) -> _Answer:
        before = len(self._every.diagnostics)
        progress = action()
        return progress, judged(self._every, self._part), self._every.diagnostics[before:]


class _There:
    """Work that is done in a child."""

    def __init__(self, channel: Channel, number: int, first: _Answer) -> None:
        self._channel = channel
        self._number = number
        self._first = first

    def begin(self) -> _Answer:
        """Interpret the starting points."""
        return self._first

    def trace(self, identities: Sequence[Identity]) -> _Answer:
        """Trace transformed functions that nobody has called."""
        answer: _Answer = self._ask("trace", identities)
        return answer

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""
        reports: tuple[Report, ...] = self._ask("judge", place, verdict)
        return reports

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        uses: SharedUses = self._ask("uses")
        return uses

    def reads(self) -> _Reads:
        """What was read until now."""
        reads: _Reads = self._ask("reads")
        return reads

    def _ask(self, what: str, *arguments: Any) -> Any:
        self._channel.send((self._number, what, arguments))
        return self._channel.receive()


def judged(every: EventReports, part: Part) -> tuple[Report, ...]:
    """What the rules say of the new events of a part."""
    return tuple(
        Report(
            key,
            (0, 0),
            event.certain,
            bool(getattr(event, "traced", False)),
            tuple(every.judged(event)),
        )
        for key, event in part.new_events()
    )


class _Part:
    """What starts in one file: known from an earlier run until something new is asked of it.

    Args:
      number: its place among all parts.
      path: the file.
      units: the starting points.
      record: what is known.
      work: interprets it, if it has to be.
    """

    def __init__(
        self,
        number: int,
        path: Path,
        units: Sequence[Unit],
        record: PartRecord | None,
        work: _Work,
    ) -> None:
        self.number = number
        self.path = path
        self.units = units
        self.known = record
        self.work = work
        self.errors: list[Diagnostic] = []
        self.segments: list[Segment] = []
        self.verdicts: dict[tuple[Name, Verdict], tuple[Report, ...]] = {}
        self._uses: SharedUses | None = None

    def begin(self) -> Progress:
        """What the others need to know before anything is asked of this part."""
        if self.known is not None:
            self.segments = [self.known.segments[0]]
        else:
            self._start()
        return self.segments[0].progress

    def trace(self, turn: int, identities: Sequence[Identity]) -> Progress:
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
            self._uses = self.work.uses()
        return self._uses

    def judge(self, place: Name, verdict: Verdict) -> None:
        """Report that something is made again and again."""
        if self.known is not None:
            reports = self.known.verdicts.get((place, verdict))
            if reports is not None:
                self.verdicts[place, verdict] = reports
                return
            self._restart()
        self.verdicts[place, verdict] = self.work.judge(place, verdict)

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

    def record(self, reads: _Reads, state: _State) -> PartRecord:
        """What a later run can take instead of interpreting this again."""
        return PartRecord(
            {path: state.signature(path) for path in sorted(reads.modules)},
            dict(reads.lookups),
            dict(reads.words),
            tuple(self.segments),
            self.uses(),
            self.verdicts,
            reads.unsupported,
        )

    def _start(self) -> None:
        progress, reports, self.errors = self.work.begin()
        self.segments = [Segment((), progress, reports)]

    def _restart(self) -> None:
        """Interpret this after all, up to where the others are."""
        done, verdicts = self.segments, list(self.verdicts)
        self.known = None
        self.verdicts = {}
        self._start()
        for segment in done[1:]:
            self._trace(segment.turn, segment.asked)
        for place, verdict in verdicts:
            self.judge(place, verdict)

    def _trace(self, turn: int, identities: Sequence[Identity]) -> None:
        progress, reports, errors = self.work.trace(identities)
        self.errors = self.errors + errors
        self.segments.append(Segment(tuple(identities), progress, reports, turn))


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
        it = discovery.interpreter
        self._whole = repr((sorted(it.rows.items()), it.limits))
        # Where the code of modules was too much to be run, what was left out hangs on all of it.
        if it.exhausted:
            paths = sorted(reads.turns)
            self._whole += digest(*map(self._digest, paths), *reads.order(paths))

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
