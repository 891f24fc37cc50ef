"""Who interprets a part: this process, or a child that shares what its parent holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.reads import ShareReads
from jitlint.analysis import failures
from jitlint.analysis.agenda import Identity, Progress, use_of
from jitlint.analysis.jit_uses import SharedUses, export
from jitlint.analysis.parts import FilePart
from jitlint.analysis.places import LocalNames, Name
from jitlint.analysis.reports import Report, Reporter
from jitlint.analysis.validity import Fingerprints, Readings
from jitlint.diagnostics import Diagnostic, OmissionReport
from jitlint.foundation.forks import Channel
from jitlint.project.reading import into
from jitlint.project.units import Unit

#: how long each unit is that became a syntax tree; the keys are the same in every process
ParsedSizes = dict[tuple[str, str, int], int]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request.

    Args:
      progress: what the other parts need to know.
      makes: whether the part makes jitted functions, so that somebody has to judge them.
      reports: what was found.
      errors: internal errors.
    """

    progress: Progress
    makes: bool
    reports: tuple[Report, ...]
    errors: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class PartReads:
    """What a part read, and what could not be done.

    Args:
      modules: the modules that something was taken from.
      readings: what was read of the index, as subjects and questions.
      lookups: modules that were looked for, by the asking folder and the name, and what was found.
      words: words that all modules were searched for, and the files that hold them.
      unsupported: places of syntax that libcst refuses, with what it says.
    """

    modules: set[Path] = field(default_factory=set)
    readings: Readings = field(default_factory=dict)
    lookups: Mapping[tuple[Path | None, str], Path | None] = field(default_factory=dict)
    words: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    unsupported: Mapping[tuple[Path, int], str] = field(default_factory=dict)


class Work(Protocol):
    """A part that is being interpreted, here or in another process."""

    def begin(self) -> Answer:
        """Interpret the starting points."""

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""

    def reads(self) -> PartReads:
        """What was read until now."""

    def omissions(self) -> tuple[OmissionReport, ...]:
        """What was left out until now."""


class LocalWork:
    """Work that is done in this process.

    Args:
      make: makes the part, and is given what is told of internal errors.
      reporter: makes diagnostics.
      names: gives places their names.
      fingerprints: of what is read of the index.
      owned: the transformed functions of modules that it traces if nobody calls them.
      step: told when a starting point is done.
    """

    def __init__(
        self,
        make: Callable[[Callable[[Unit, Exception], None]], FilePart],
        reporter: Reporter,
        names: LocalNames,
        fingerprints: Fingerprints,
        owned: Sequence[Identity],
        step: Callable[[], None],
    ) -> None:
        self._fingerprints = fingerprints
        self._make = make
        self._reporter = reporter
        self._names = names
        self._owned = owned
        self._step = step
        self._errors: list[Diagnostic] = []
        self._begun: FilePart | None = None

    @property
    def part(self) -> FilePart:
        """The part; made when work on it begins."""
        if self._begun is None:
            self._begun = self._make(self._failed)
        return self._begun

    def begin(self) -> Answer:
        """Interpret the starting points."""
        progress = self.part.run(self._step)
        answer = self._answer(progress)
        waiting = {use_of(identity) for identity in (*self._owned, *progress.made)}
        if waiting <= progress.called:
            # Nobody will ask it to trace anything; there may be hundreds like it.
            self.part.interpreter.release()
        return answer

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""
        return self._answer(self.part.trace(identities))

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""
        self.part.judge(place, verdict)
        return self._reports()

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        return export(self.part.jits, self._names)

    def reads(self) -> PartReads:
        """What was read until now."""
        reads, unsupported = self.part.reads, dict(self.part.interpreter.unsupported)
        if isinstance(reads, ShareReads):
            readings = self._fingerprints.of(reads.sink)
            return PartReads(reads.modules, readings, reads.lookups, reads.words, unsupported)
        return PartReads(unsupported=unsupported)

    def omissions(self) -> tuple[OmissionReport, ...]:
        """What was left out until now."""
        return self._reporter.omissions(self.part.interpreter.omissions.values())

    def dismantle(self) -> None:
        """Take apart what was interpreted: nothing more is asked."""
        if self._begun is not None:
            self._begun.dismantle()

    def _reports(self) -> tuple[Report, ...]:
        """What is new; a fix looks at more of the file than the fault."""
        with into(self.part.reads.sink):
            return self._reporter.reports(self.part.new_events())

    def _failed(self, unit: Unit, error: Exception) -> None:
        self._errors.append(failures.internal_error(unit, error))

    def _answer(self, progress: Progress) -> Answer:
        reports = self._reports()
        errors, self._errors = tuple(self._errors), []
        return Answer(progress, bool(self.part.jits.sites), reports, errors)


class RemoteWork:
    """Work that is done in a child.

    Args:
      channel: leads to the child.
      number: of the part among those of the child.
      first: what came of the starting points.
    """

    def __init__(self, channel: Channel, number: int, first: Answer) -> None:
        self._channel = channel
        self._number = number
        self._first = first

    def begin(self) -> Answer:
        """Interpret the starting points."""
        return self._first

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""
        answer: Answer = self._ask("trace", identities)
        return answer

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""
        reports: tuple[Report, ...] = self._ask("judge", place, verdict)
        return reports

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        uses: SharedUses = self._ask("uses")
        return uses

    def reads(self) -> PartReads:
        """What was read until now."""
        reads: PartReads = self._ask("reads")
        return reads

    def omissions(self) -> tuple[OmissionReport, ...]:
        """What was left out until now."""
        omissions: tuple[OmissionReport, ...] = self._ask("omissions")
        return omissions

    def _ask(self, what: str, *arguments: Any) -> Any:
        self._channel.send((self._number, what, arguments))
        return self._channel.receive()


def serve(works: Sequence[Work], interpreters: Sequence[Interpreter], channel: Channel) -> None:
    """What a child does: its share, each part as soon as it is done, then what it is asked.

    Args:
      works: the parts.
      interpreters: hold the trees of all of them.
      channel: leads to the parent.
    """
    for number, work in enumerate(works):
        channel.send((number, work.begin()))
    while True:
        number, what, arguments = channel.receive()
        if what == "parsed":
            sizes: ParsedSizes = {}
            for it in interpreters:
                sizes.update(parsed_sizes(it))
            channel.send(sizes)
        else:
            channel.send(getattr(works[number], what)(*arguments))


def parsed_in(channel: Channel) -> ParsedSizes:
    """What a child has parsed."""
    channel.send((0, "parsed", ()))
    sizes: ParsedSizes = channel.receive()
    return sizes


def parsed_sizes(it: Interpreter) -> ParsedSizes:
    """What this process has parsed."""
    return {
        (str(unit.module.path), unit.qualname, unit.number): len(unit.source)
        for unit in it.store.parsed_units()
    }
