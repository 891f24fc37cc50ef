"""What is asked of whoever interprets a part, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.reads import ShareReads
from jitlint.analysis.parts import failures
from jitlint.analysis.parts.agenda import NOTHING, Identity, Progress, use_of
from jitlint.analysis.parts.jit_uses import SharedUses, export
from jitlint.analysis.parts.part import FilePart
from jitlint.analysis.parts.places import LocalNames, Name
from jitlint.analysis.parts.reports import LeftOut, Report, Reporter
from jitlint.diagnostics import Diagnostic
from jitlint.project.reading import into
from jitlint.project.units import Unit
from jitlint.recall.readings import Fingerprints, Readings

#: how long each unit is that became a syntax tree; the keys are the same in every process
ParsedSizes = dict[tuple[str, str, int], int]


class PartReads(Struct, frozen=True):
    """What a part read, and what could not be done.

    Args:
      modules: the modules that something was taken from.
      readings: what was read of the index, as subjects and questions.
      lookups: modules that were looked for, by the asking folder and the name, and what was found.
      words: words that modules were searched for, by whose code and in which files they are.
      unsupported: places of syntax that libcst refuses, with what it says.
    """

    modules: set[Path] = field(default_factory=set)
    readings: Readings = field(default_factory=dict)
    lookups: Mapping[tuple[Path | None, str], Path | None] = field(default_factory=dict)
    words: Mapping[tuple[Path | None, str], tuple[Path, ...]] = field(default_factory=dict)
    unsupported: Mapping[tuple[Path, int], str] = field(default_factory=dict)


class PartState(Struct, frozen=True):
    """What is known of a part beside what it reports.

    Args:
      uses: what was seen of jitted functions.
      reads: what was read.
      steps: how many it took to interpret.
      omissions: what was left out.
    """

    uses: SharedUses
    reads: PartReads
    steps: int
    omissions: tuple[LeftOut, ...]


class Answer(Struct, frozen=True):
    """What came of a request.

    Args:
      progress: what the other parts need to know.
      makes: whether the part makes jitted functions.
      reports: what was found.
      errors: internal errors.
      state: what is known of the part after it, where that is wanted at once.
    """

    progress: Progress
    makes: bool
    reports: tuple[Report, ...]
    errors: tuple[Diagnostic, ...]
    state: PartState | None = None


class Work(Protocol):
    """A part that is being interpreted, here or in another process."""

    def begin(self) -> Answer:
        """Interpret the starting points."""

    def expect(self, identities: Sequence[Identity]) -> None:
        """Say what it will be asked to trace next, if nobody calls that before its turn comes."""

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""

    def state(self) -> PartState:
        """What is known beside what it reports."""

    def omissions(self) -> tuple[LeftOut, ...]:
        """What was left out until now."""


class LocalWork:
    """Work that is done in this process.

    Args:
      make: makes the part, and is given what is told of internal errors.
      reporter: makes diagnostics.
      names: gives places their names.
      fingerprints: of what is read of the index; None where nobody keeps what was read.
      owned: the transformed functions of modules that it traces if nobody calls them.
      step: told when a starting point is done.
    """

    def __init__(
        self,
        make: Callable[[Callable[[Unit, Exception], None]], FilePart],
        reporter: Reporter,
        names: LocalNames,
        fingerprints: Fingerprints | None,
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
        self._progress = NOTHING

    @property
    def part(self) -> FilePart:
        """The part; made when work on it begins."""
        if self._begun is None:
            self._begun = self._make(self._failed)
        return self._begun

    def begin(self) -> Answer:
        """Interpret the starting points."""
        progress = self._progress = self.part.run(self._step)
        answer = self._answer()
        waiting = {use_of(identity) for identity in (*self._owned, *progress.made)}
        # There may be hundreds like it.
        for it in self.part.interpreters:
            if waiting <= progress.called:
                # Nobody will ask it to trace anything.
                it.forget_run()
            else:
                it.settle()
        # What is done is kept as it is done.
        return answer if self._fingerprints is None else replace(answer, state=self.state())

    def expect(self, identities: Sequence[Identity]) -> None:
        """Say what it will be asked to trace next: it waits to be asked."""

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""
        called = self._progress.called
        uncalled = [identity for identity in identities if use_of(identity) not in called]
        if uncalled:
            self._progress = self.part.trace(uncalled)
        return self._answer()

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""
        self.part.judge(place, verdict)
        return self._reports()

    def state(self) -> PartState:
        """What is known beside what it reports."""
        uses = SharedUses()
        for seen in self.part.jits:
            uses.add(export(seen, self._names))
        steps = sum(it.steps + it.other_steps for it in self.part.interpreters)
        return PartState(uses, self._reads(), steps, self.omissions())

    def omissions(self) -> tuple[LeftOut, ...]:
        """What was left out until now."""
        omissions = (it.omissions.values() for it in self.part.interpreters)
        return self._reporter.left_out(chain.from_iterable(omissions), self._names)

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

    def _answer(self) -> Answer:
        reports = self._reports()
        errors, self._errors = tuple(self._errors), []
        return Answer(self._progress, any(uses.sites for uses in self.part.jits), reports, errors)

    def _reads(self) -> PartReads:
        """What was read until now."""
        reads, unsupported = self.part.reads, dict[tuple[Path, int], str]()
        for it in self.part.interpreters:
            unsupported.update(it.unsupported)
        if not isinstance(reads, ShareReads):
            return PartReads(unsupported=unsupported)
        readings = {} if self._fingerprints is None else self._fingerprints.of(reads.sink)
        return PartReads(
            set(reads.modules), readings, dict(reads.lookups), dict(reads.words), unsupported
        )


def parsed_sizes(it: Interpreter) -> ParsedSizes:
    """What this process has parsed."""
    return {
        (str(unit.module.path), unit.title, unit.number): len(unit.source)
        for unit in it.store.parsed_units()
    }
