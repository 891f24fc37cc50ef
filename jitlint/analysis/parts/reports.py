"""From what the parts saw to diagnostics."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import libcst as cst
from msgspec import Struct
from msgspec.structs import replace

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.events import Event
from jitlint.absint.machine.entries import SAID, Entry, merge_entries
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Omission
from jitlint.absint.objects.sketching import Sketches, put_together
from jitlint.analysis.parts.failures import internal_error
from jitlint.analysis.parts.listings import Listing
from jitlint.analysis.parts.places import LocalNames, Name
from jitlint.diagnostics import (
    Diagnostic,
    Location,
    OmissionReport,
    Severity,
    TracedFunctionReport,
    TraceStep,
    guess_in,
    weaker,
)
from jitlint.fixes.making.registry import fix_of
from jitlint.foundation.certainty import GUESSED
from jitlint.foundation.interruption import checkpoint
from jitlint.jaxmodel.wording import is_trace_note
from jitlint.project.project import Project
from jitlint.rules.base import Finding
from jitlint.rules.registry import rules_for
from jitlint.sketches import SketchedFunction
from jitlint.source import suppression

#: steps of an explanation that are shown; the transform and the last ones matter most
_TRACE_LENGTH = 8

#: names the place of an event, and says what happens there
EventKey = tuple[Name, str]


class Report(Struct, frozen=True):
    """What the rules say about one event.

    Args:
      key: names the place and the event.
      certain: as the event has it.
      traced: likewise, for effects.
      bound: whether it was seen under values other than defaults alone.
      diagnostics: what is reported.
    """

    key: EventKey
    certain: bool
    traced: bool
    bound: bool
    diagnostics: tuple[Diagnostic, ...]

    def replaces(self, known: Report) -> bool:
        """Whether an event that is seen later takes the place of one seen before."""
        if self.certain == known.certain and self.traced == known.traced:
            if self.doubt != known.doubt:
                return self.doubt < known.doubt
            return known.bound and not self.bound
        return self.traced > known.traced or (self.certain and not known.certain)

    @property
    def doubt(self) -> int:
        """0 where it rests on no guess, 2 on which of several objects it is, 1 on another guess."""
        if any(said.rests_on_one_of_several for said in self.diagnostics):
            return 2
        return int(any(said.certainty == GUESSED for said in self.diagnostics))

    def with_fixes_of(self, other: Report) -> Report:
        """The same with no fix that another report on the event does not trust as much."""
        trusted = tuple(
            replace(mine, fix=weaker(mine.fix, theirs.fix)) if mine.fix != theirs.fix else mine
            for mine, theirs in zip(self.diagnostics, other.diagnostics, strict=False)
            if mine.code == theirs.code
        )
        if len(trusted) != len(self.diagnostics) or trusted == self.diagnostics:
            return self
        return replace(self, diagnostics=trusted)


def chosen(reports: Iterable[Report]) -> Iterable[Report]:
    """Of several reports on one event the one that counts; reports in the order of the events."""
    found: dict[EventKey, Report] = {}
    for report in reports:
        known = found.get(report.key)
        if known is None:
            found[report.key] = report
        else:
            one, other = (report, known) if report.replaces(known) else (known, report)
            found[report.key] = one.with_fixes_of(other)
    return found.values()


class LeftOut(Struct, frozen=True, order=True):
    """Something that was not analysed although JAX traces it.

    Args:
      place: where.
      reason: a name for why.
      sentence: what is said of it.
      function: the qualified name of the function around it.
    """

    place: Name
    reason: str
    sentence: str
    function: str


class Reporter:
    """Makes diagnostics of events; their fingerprints are not numbered yet.

    Args:
      project: the project.
      named: the files to report on.
    """

    def __init__(self, project: Project, named: set[Path]) -> None:
        self.project = project
        self.named = named
        self._header_rows: dict[int, tuple[ast.AST, list[int]]] = {}

    def listing(
        self, interpreters: Sequence[tuple[Interpreter, int]], starts: Set[Path]
    ) -> Listing:
        """The functions of the targets that some interpreters have run.

        Args:
          interpreters: each with the files that what it runs can lead to.
          starts: the files of which it is told, too, what is known of parameters: they lead to the
            targets.
        """

        def counts(wanted: Set[Path], files: int, code: Code) -> bool:
            path = code.module.path
            return path in wanted and self.project.graph.has(files, path)

        entries = merge_entries(
            {k: entry for k, entry in it.entries.items() if counts(self.named, files, entry.code)}
            for it, files in interpreters
        )
        reports = [self._traced(entry) for entry in entries]
        reports.sort(key=lambda item: (item.filename, item.row, item.qualname))
        seen = (
            it.observations(Sketches).of(partial(counts, starts, files))
            for it, files in interpreters
        )
        sketched = [
            SketchedFunction(str(code.module.path), code.qualname, parameters)
            for code, parameters in put_together(seen)
        ]
        return Listing(tuple(reports), tuple(sketched))

    def left_out(self, omissions: Iterable[Omission], names: LocalNames) -> tuple[LeftOut, ...]:
        """What was left out of the targets, each place once, sorted."""
        found = set()
        for omission in omissions:
            place, subject = omission.place, omission.subject
            if place.parsed.unit.module.path not in self.named:
                continue
            if not isinstance(subject, str):
                subject = Place(place.parsed, subject).text()
            reason = omission.reason
            sentence = reason.sentence.format(subject)
            name = names.of_place(place)
            found.add(LeftOut(name, reason.label, sentence, omission.function))
        return tuple(sorted(found))

    def omissions(self, left_out: Iterable[LeftOut], names: LocalNames) -> Iterator[OmissionReport]:
        """The same with rows and columns; of what stands nowhere any more nothing."""
        for each in left_out:
            with suppress(LookupError):
                row, column, _, _ = _span(names.place(each.place))
                said = each.reason, each.sentence, each.function
                yield OmissionReport(each.place[0], row, column, *said)

    def _traced(self, entry: Entry) -> TracedFunctionReport:
        assert entry.code.parsed is not None and entry.code.node is not None
        return TracedFunctionReport(
            str(entry.code.module.path),
            Place(entry.code.parsed, entry.code.node).position()[0],
            entry.code.qualname,
            ", ".join(sorted(entry.transforms)),
            {name: SAID.get(kind, kind) for name, kind in entry.parameters.items()},
            self._steps(entry.chain, None),
        )

    def reports(self, events: Iterable[tuple[EventKey, Event]]) -> tuple[Report, ...]:
        """What the rules say of some events."""
        return tuple(
            Report(
                key,
                event.certain,
                bool(getattr(event, "traced", False)),
                bool(event.under),
                tuple(self._judged(event)),
            )
            for key, event in events
        )

    def _judged(self, event: Event) -> list[Diagnostic]:
        """What the rules have to say about an event, if it is in one of the targets."""
        checkpoint()
        unit = event.place.parsed.unit
        found: list[Diagnostic] = []
        if unit.module.path not in self.named:
            return found
        kind: type = type(event)  # mypy takes the class of a class with __hash__ for unhashable
        for rule in rules_for(kind):
            try:
                finding = rule.check(event)
                if finding is not None:
                    found.append(self._diagnostic(event, finding))
            except Exception as error:
                # One report that cannot be made hides no other.
                found.append(internal_error(unit, error))
        return found

    def _diagnostic(self, event: Event, finding: Finding) -> Diagnostic:
        module = event.place.parsed.unit.module
        row, column, end_row, end_column = _span(event.place)
        function = event.function or None
        source = " ".join(event.place.parsed.source(event.place.node).split())[:400]
        trace = self._steps(*event.chain)
        severity, message = _as_sure(finding, trace, told=not event.certain)
        return Diagnostic(
            code=finding.meta.code,
            name=finding.meta.name,
            severity=severity,
            message=message,
            help=finding.help,
            filename=str(module.path),
            location=Location(row, column),
            end_location=Location(end_row, end_column),
            function=function,
            trace=trace,
            hazard=finding.hazard,
            noqa_row=self._header_end(module.path, row),
            fingerprint="\0".join((finding.meta.code, module.name, function or "", source)),
            fix=fix_of(finding.meta.code, event),
        )

    def _header_end(self, path: Path, row: int) -> int:
        """The last row of the header of the statement that holds a row."""
        module = self.project.module_at(path)
        unit = None if module is None else module.unit_at(row)
        if module is None or unit is None:
            return row
        tree = unit.tree
        known = self._header_rows.get(id(tree))
        if known is None:
            # With the tree, so that no other one gets the same number.
            known = self._header_rows[id(tree)] = tree, _header_rows(tree)
        before = bisect_right(known[1], row)
        start = max(unit.first, known[1][before - 1]) if before else unit.first
        return max(row, suppression.logical_end(module.source_rows, start))

    def _steps(self, chain: Any, origin: Any) -> tuple[TraceStep, ...]:
        steps: list[Any] = chain.steps() if chain is not None else []
        # What host code did before the first transform explains nothing.
        first = next((i for i, step in enumerate(steps) if is_trace_note(step.note)), 0)
        steps = steps[first:]
        origins: list[Any] = []
        while origin is not None and len(origins) < 4:
            origins.append(origin)
            origin = origin.previous
        steps.extend(reversed(origins))
        if len(steps) > _TRACE_LENGTH:
            steps = steps[:2] + steps[-(_TRACE_LENGTH - 2) :]
        found: list[TraceStep] = []
        for one in steps:
            row, column = _span(one.place)[:2]
            path = str(one.place.parsed.unit.module.path)
            step = TraceStep(
                path, row, column, one.note, certainty=one.certainty, several=one.several
            )
            if not found or found[-1] != step:
                found.append(step)
        return tuple(found)


def _as_sure(finding: Finding, trace: Sequence[TraceStep], *, told: bool) -> tuple[Severity, str]:
    """How grave a finding is, and its words: no error rests on a guess, and a warning says so.

    Which of several objects it is that is called, a setting or a caller chooses whom nobody sees:
    what holds of one of them alone is an info.  (Of 17 such warnings in six applications none was
    true.)

    Args:
      finding: what a rule says.
      trace: how it is known.
      told: whether the words say already when it holds, which makes a warning of it.
    """
    severity = finding.severity
    one_of = next((step for step in trace if step.several), None)
    guess = one_of or guess_in(trace)
    if guess is None or (one_of is None and told and severity is not Severity.ERROR):
        return severity, finding.message
    said = f"{finding.message} This rests on a guess: {guess.note}."
    return min(severity, Severity.WARNING if one_of is None else Severity.INFO), said


def _span(place: Any) -> tuple[int, int, int, int]:
    """Rows and columns of a place; of a ``try`` only its first word."""
    row, column, end_row, end_column = place.position()
    if isinstance(place.node, (cst.Try, cst.TryStar)):
        return row, column, row, column + len("try")
    if isinstance(place.node, cst.FunctionDef):
        row, column, _, _ = place.parsed.position(place.node.name)
        return row, column, row, column + len(place.node.name.value)
    return row, column, end_row, end_column


def _header_rows(tree: ast.AST) -> list[int]:
    """The rows in which statements and what has a logical line of its own begin, sorted."""
    found: set[int] = set()
    for node in ast.walk(tree):
        # Decorators, handlers and cases have logical lines of their own.
        if isinstance(node, ast.match_case):
            found.add(node.pattern.lineno)
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            found.add(node.lineno)
            found.update(each.lineno for each in getattr(node, "decorator_list", ()))
    return sorted(found)
