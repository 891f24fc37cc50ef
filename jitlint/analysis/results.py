"""What is known of one part in this run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.analysis.parts.agenda import Identity, Progress
from jitlint.analysis.parts.jit_uses import SharedUses
from jitlint.analysis.parts.places import Name
from jitlint.analysis.parts.records import PartRecord, Segment
from jitlint.analysis.parts.reports import LeftOut, Report
from jitlint.analysis.parts.validity import Foundations
from jitlint.analysis.workers import Answer, PartState, Work
from jitlint.diagnostics import Diagnostic
from jitlint.recall.layouts import files_named

#: when something was reported: in which round, by which part
Turn = tuple[int, int]
#: after all rounds
JUDGED = 1 << 30


class PartResult:
    """What starts in one file: known from an earlier run until something new is asked of it.

    Args:
      number: its place among all parts.
      path: the file.
      record: what is known.
      work: interprets it, if it has to be.
    """

    def __init__(self, number: int, path: Path, record: PartRecord | None, work: Work) -> None:
        self.number = number
        self.path = path
        self.known = record
        self.work = work
        self.errors: tuple[Diagnostic, ...] = ()
        self._segments: list[Segment] = []
        self._verdicts: dict[tuple[Name, Verdict], tuple[Report, ...]] = {}
        #: whether it makes jitted functions; of what is known of it its uses say so
        self._makes = False
        self._state: PartState | None = None
        #: whether a record says all that this does
        self.is_kept = record is not None

    def begin(self) -> Progress:
        """What the others need to know before anything is asked of this part."""
        if self.known is not None:
            self._segments = [self.known.segments[0]]
        elif not self._segments:
            self._start()
        return self._segments[0].progress

    def expect(self, identities: Sequence[Identity]) -> None:
        """Say what it will be asked to trace, if nobody calls that before its turn comes."""
        if self.known is None:
            self.work.expect(identities)

    def trace(self, turn: int, identities: Sequence[Identity]) -> Progress:
        """Trace transformed functions that nobody has called."""
        if self.known is not None:
            number = len(self._segments)
            segments = self.known.segments
            if number < len(segments) and segments[number].asked == tuple(identities):
                self._segments.append(replace(segments[number], turn=turn))
                return segments[number].progress
            self._restart()
        self._trace(turn, identities)
        return self._segments[-1].progress

    @property
    def makes(self) -> bool:
        """Whether it makes jitted functions."""
        return self._makes if self.known is None else bool(self.known.uses.sites)

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        if self.known is not None:
            if len(self._segments) == len(self.known.segments):
                return self.known.uses
            # Less is asked than the last time, and what that told is not known by itself.
            self._restart()
        return self.state.uses

    @property
    def state(self) -> PartState:
        """What is known of it beside what it reports, until now; of what was interpreted."""
        if self._state is None:
            self._state = self.work.state()
        return self._state

    def judge(self, place: Name, verdict: Verdict) -> None:
        """Report that something is made again and again."""
        if self.known is not None:
            reports = self.known.verdicts.get((place, verdict))
            if reports is not None:
                self._verdicts[place, verdict] = reports
                return
            self._restart()
        self._verdicts[place, verdict] = self.work.judge(place, verdict)
        self._changed()

    def reports(
        self, counts: Callable[[Sequence[Identity], Report], bool]
    ) -> list[tuple[Turn, Report]]:
        """What this part reports, and when.

        Args:
          counts: whether a report counts that came of what was asked.
        """
        found = [
            ((segment.turn, self.number), report)
            for segment in self._segments
            for report in segment.reports
            if counts(segment.asked, report)
        ]
        for reports in self._verdicts.values():
            found += [((JUDGED, self.number), each) for each in reports if counts((), each)]
        return found

    def omissions(self) -> tuple[LeftOut, ...]:
        """What was left out of all that was asked."""
        if self.known is not None:
            if len(self._segments) == len(self.known.segments):
                return self.known.omissions
            self._restart()
        return self.work.omissions()

    def files_named(self, unsupported: Iterable[tuple[str, int]]) -> set[str]:
        """The files of which a row is named in what came of the part."""
        reports = chain(
            (report for segment in self._segments for report in segment.reports),
            chain.from_iterable(self._verdicts.values()),
        )
        items = (item for report in reports for item in report.diagnostics)
        return {*files_named(items), *(path for path, _ in unsupported)}

    def record(self, starts: str, foundations: Foundations) -> PartRecord:
        """What a later run can take instead of interpreting this again.

        What it lacks that is only asked for later makes that run do so.
        """
        reads = self.state.reads
        lookups = {
            (None if folder is None else str(folder), name): None if found is None else str(found)
            for (folder, name), found in reads.lookups.items()
        }
        words = {
            (None if owner is None else str(owner), word): tuple(map(str, paths))
            for (owner, word), paths in reads.words.items()
        }
        unsupported = {(str(path), row): said for (path, row), said in reads.unsupported.items()}
        files = {*reads.readings, *self.files_named(unsupported)}
        return PartRecord(
            starts,
            {str(path): foundations.signature(path) for path in sorted(reads.modules)},
            reads.readings,
            lookups,
            foundations.unparsed(lookups.values()),
            words,
            {path: foundations.source(path) for path in sorted(files)},
            tuple(self._segments),
            self.state.uses,
            self._verdicts,
            unsupported,
            self.state.steps,
            self.state.omissions,
        )

    def _changed(self) -> None:
        self._state = None
        self.is_kept = False

    def _start(self) -> None:
        self.errors = ()
        self._segments = []
        self._add((), self.work.begin(), 0)

    def _restart(self) -> None:
        """Interpret this after all, up to where the others are."""
        done, verdicts = self._segments, list(self._verdicts)
        self.known = None
        self._verdicts = {}
        self._start()
        for segment in done[1:]:
            self._trace(segment.turn, segment.asked)
        for place, verdict in verdicts:
            self.judge(place, verdict)

    def _trace(self, turn: int, identities: Sequence[Identity]) -> None:
        self._add(identities, self.work.trace(identities), turn)

    def _add(self, asked: Sequence[Identity], answer: Answer, turn: int) -> None:
        self._segments.append(Segment(tuple(asked), answer.progress, answer.reports, turn))
        self._changed()
        self.errors += answer.errors
        self._makes = answer.makes
        self._state = answer.state


class OutdatedPart(PartResult):
    """What an earlier run knew of a part, although what that rests on has changed since.

    It answers what it was asked then, and nothing is interpreted for it.

    Args:
      number: its place among all parts.
      path: the file.
      record: what was known.
      work: is not asked.
    """

    def __init__(self, number: int, path: Path, record: PartRecord, work: Work) -> None:
        super().__init__(number, path, record, work)
        self._record = record

    def trace(self, turn: int, identities: Sequence[Identity]) -> Progress:
        """What came of tracing the same; of anything else, nothing."""
        asked = tuple(identities)
        for segment in self._record.segments[1:]:
            if segment.asked == asked:
                self._segments.append(replace(segment, turn=turn))
                break
        return self._segments[-1].progress

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        return self._record.uses

    def judge(self, place: Name, verdict: Verdict) -> None:
        """Report it again, if it was reported."""
        self._verdicts[place, verdict] = self._record.verdicts.get((place, verdict), ())
