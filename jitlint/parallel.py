"""An analysis by several processes, with the reports of one.

The parent indexes and selects, interprets the code of modules, and forks.  Each child interprets
functions of its own share; then, told by the parent what the others saw, traces what nobody has
called, one child after the other in the order that a single process follows.  Reports come back
with what decides between two reports of one place.

Two things can differ from a single process.  The budget of contexts for a function is each
process's own, so functions that are called in very many ways may be followed in more of them; and
where a value can have come about in several ways, the explanation may name another one.  The same
number of processes always gives the same reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitlint.absint.machine.signals import RunEnded
from jitlint.diagnostics import Diagnostic
from jitlint.engine import EventReports, parsed_sizes
from jitlint.forks import Channel, ForkLostError, Forks, can_fork
from jitlint.project.project import ParseFailure
from jitlint.tracing.shared_uses import SharedUses, absorb, export
from jitlint.tracing.sharing import Agenda, Share, cuts, unit_rows

if TYPE_CHECKING:
    from jitlint.absint.machine.events import Event
    from jitlint.tracing.discovery import Discovery

# Rows of starting points for which a further process is worth it: about half a second of work.
ROWS_PER_PROCESS = 2_500
_JUDGED = 1 << 30


@dataclass(frozen=True, slots=True)
class Report:
    """What the rules say about one event.

    Args:
      key: names the place and the event.
      turn: when it was seen: by which turn of which process, in the order of a single process.
      certain: as the event has it.
      traced: likewise, for effects.
      diagnostics: what is reported.
    """

    key: Any
    turn: tuple[int, int]
    certain: bool
    traced: bool
    diagnostics: tuple[Diagnostic, ...]

    def replaces(self, known: Report) -> bool:
        """Whether an event that is seen later takes the place of one seen before."""
        return self.traced > known.traced or (self.certain and not known.certain)


@dataclass(slots=True)
class Outcome:
    """All that one process has to say in the end.

    Args:
      reports: one for each event.
      unsupported: message and row of the first unit in a file that libcst cannot parse.
      errors: internal errors.
      failures: files that could not be parsed.
      parsed: how much of each unit that was parsed.
    """

    reports: list[Report]
    unsupported: dict[Path, tuple[str, int]]
    errors: list[Diagnostic]
    failures: dict[Path, ParseFailure]
    parsed: dict[Any, int] = field(default_factory=dict)


def share_out(
    discovery: Discovery,
    reports: EventReports,
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Run an analysis in several processes.

    Args:
      discovery: the analysis, not yet run.
      reports: collects what is found.
      jobs: the most processes.
      progress: told how many of how many starting points are done.

    Returns:
      False when one process has to do the work (or the rest of it), because there is too little,
      the platform cannot fork, or a child was lost.
    """
    first = discovery.module_level
    rows = sum(unit_rows(unit) for unit in discovery.units[first:])
    count = min(jobs, rows // ROWS_PER_PROCESS)
    if count < 2 or not can_fork():
        return False
    # Objects that modules make are seen by all functions, so they are there before any of these.
    discovery.run_units(discovery.units[:first], progress)
    try:
        outcomes = _run(discovery, reports, count, progress)
    except (ForkLostError, OSError):
        return False
    _merge(outcomes, reports)
    return True


def _run(
    discovery: Discovery,
    reports: EventReports,
    count: int,
    progress: Callable[[int, int], None] | None,
) -> list[Outcome]:
    first = discovery.module_level
    units = discovery.units[first:]
    places = [0, *cuts(units, count), len(units)]
    total = len(discovery.units)

    def task(number: int, channel: Channel) -> None:
        share = _Child(discovery, reports, number, channel)
        share.run(first + places[number], first + places[number + 1])

    with Forks(task, count) as forks:
        done = [0] * count
        seen: dict[int, Any] = {}
        for number, message in forks.any_order():
            if isinstance(message, int):
                done[number] = message
                if progress is not None:
                    progress(first + sum(done), total)
                continue
            seen[number] = message
            if len(seen) == count:
                break
        agenda = Agenda()
        for number in range(count):
            agenda.add(number, seen[number])
        turn = 0
        while turns := agenda.next_round():
            for owner, identities in turns:
                turn += 1
                forks.channels[owner].send(("trace", turn, identities, agenda.called))
                agenda.add(owner, forks.channels[owner].receive())
        uses = SharedUses()
        for channel in forks.channels:
            channel.send(("export",))
        for channel in forks.channels:
            uses.add(channel.receive())
        for channel in forks.channels:
            channel.send(("finish", uses))
        return [channel.receive() for channel in forks.channels]


def chosen(reports: Iterable[Report]) -> Iterable[Report]:
    """Of several reports on one event the one that a single process would make."""
    found: dict[Any, Report] = {}
    for report in sorted(reports, key=lambda each: each.turn):
        known = found.get(report.key)
        if known is None or report.replaces(known):
            found[report.key] = report
    return found.values()


def _merge(outcomes: list[Outcome], reports: EventReports) -> None:
    for report in chosen(report for outcome in outcomes for report in outcome.reports):
        reports.diagnostics.extend(report.diagnostics)
    unsupported: dict[Path, tuple[str, int]] = {}
    for outcome in outcomes:
        reports.diagnostics.extend(outcome.errors)
        reports.project.failures.update(outcome.failures)
        reports.parsed.update(outcome.parsed)
        for path, problem in outcome.unsupported.items():
            unsupported.setdefault(path, problem)
    for path, (message, row) in unsupported.items():
        reports.report_unsupported(path, message, row)


class _Child:
    """What a forked process does, and what it keeps in mind while it does."""

    def __init__(
        self, discovery: Discovery, reports: EventReports, number: int, channel: Channel
    ) -> None:
        self.discovery = discovery
        self.reports = reports
        self.number = number
        self.channel = channel
        self.share = Share(discovery)
        self.found: dict[Any, tuple[Event, Report]] = {}
        reports.diagnostics.clear()

    def run(self, start: int, stop: int) -> None:
        """Interpret a share, then do what the parent asks for."""
        self.discovery.done = 0
        self.discovery.run_units(
            self.discovery.units[start:stop], lambda done, total: self.channel.send(done)
        )
        self.channel.send(self.share.progress())
        # The others are still busy.
        self._judge((0, self.number))
        it = self.discovery.interpreter
        while True:
            request = self.channel.receive()
            if request[0] == "trace":
                _, turn, identities, called = request
                self.share.trace(identities, called)
                self.channel.send(self.share.progress())
                self._judge((turn, self.number))
            elif request[0] == "export":
                self.channel.send(export(it, self.share.names))
            else:
                absorb(it, self.share.names, request[1])
                it.signal(RunEnded())
                self._judge((_JUDGED, self.number))
                self.channel.send(self._outcome())
                return

    def _judge(self, turn: tuple[int, int]) -> None:
        """Turn the events of the last turn into reports."""
        for key, event in self.discovery.interpreter.events.items():
            known = self.found.get(key)
            if known is None or known[0] is not event:
                report = Report(
                    (self.share.names.of_place(event.place), type(event).__name__),
                    turn,
                    event.certain,
                    bool(getattr(event, "traced", False)),
                    tuple(self.reports.judged(event)),
                )
                self.found[key] = (event, report)

    def _outcome(self) -> Outcome:
        it = self.discovery.interpreter
        return Outcome(
            [report for _, report in self.found.values()],
            {path: (str(error), error.row) for path, error in it.unsupported.items()},
            self.reports.diagnostics,
            self.discovery.project.failures,
            parsed_sizes(it),
        )
