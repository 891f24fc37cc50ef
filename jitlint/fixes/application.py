"""Fixes of one text: which go together, the text that they give, and where places are then."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from jitlint.diagnostics import Diagnostic, Edit, Location
from jitlint.source.document import LINE_END

#: a row of a file, or of a cell of it
_Row = tuple[str, int | None, int]


def _independent(reports: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Of some reports those whose fixes leave each other's grounds as they are.

    A fix may take away what another report rests on: it makes a parameter static that is turned
    into an array elsewhere, or writes another transform.  What it touches comes first, and what
    rests on that has to be seen again before anything is done about it.

    Args:
      reports: with their fixes, of any files.

    Returns:
      Some of them, in their order.
    """
    edited = {id(report): frozenset(_edited_rows(report)) for report in reports}
    rests = {id(report): frozenset(_rows_behind(report)) for report in reports}
    grounds: Counter[_Row] = Counter(row for rows in rests.values() for row in rows)

    def is_ground(report: Diagnostic) -> bool:
        """Whether its fix touches what other reports rest on."""
        own = rests[id(report)]
        return any(grounds[row] > (row in own) for row in edited[id(report)])

    chosen: set[int] = set()
    touched: set[_Row] = set()
    known: set[_Row] = set()
    made: set[tuple[str, tuple[Edit, ...]]] = set()
    for report in sorted(reports, key=lambda report: not is_ground(report)):
        assert report.fix is not None
        edits, behind = edited[id(report)], rests[id(report)]
        same = report.filename, report.fix.edits
        if same in made or (behind.isdisjoint(touched) and edits.isdisjoint(known)):
            chosen.add(id(report))
            touched |= edits
            known |= behind
            made.add(same)
    return [report for report in reports if id(report) in chosen]


def _edited_rows(report: Diagnostic) -> Iterator[_Row]:
    """The rows that the fix of a report changes, and none that it only puts something before."""
    for edit in () if report.fix is None else report.fix.edits:
        first, last = edit.location, edit.end_location
        if first == last and first.column == 1:
            continue
        for row in range(first.row, last.row + (last.column > 1 or first == last)):
            yield report.filename, edit.cell, row


def _rows_behind(report: Diagnostic) -> Iterator[_Row]:
    """The rows of what a report rests on, but for its own place."""
    own = report.filename, report.cell, report.location.row
    for step in report.trace:
        row = step.filename, step.cell, step.row
        if row != own:
            yield row


def fixable_together(reports: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Of some reports, of any files, those whose fixes go together, the first ones first.

    They do not touch, nor what others rest on.  What two fixes both put in, such as an import, is
    put in once; one fix may be that of several reports.
    """
    chosen: list[Diagnostic] = []
    taken: dict[str, list[Edit]] = defaultdict(list)
    made: set[tuple[str, tuple[Edit, ...]]] = set()
    for report in _independent([*reports]):
        fix = report.fix
        assert fix is not None
        same, others = (report.filename, fix.edits), taken[report.filename]
        if same in made:
            chosen.append(report)
        elif all(_go_together(edit, other) for edit in fix.edits for other in others):
            chosen.append(report)
            others += fix.edits
            made.add(same)
    return chosen


def _go_together(one: Edit, other: Edit) -> bool:
    if one.cell != other.cell:
        return True
    if one == other and one.location == one.end_location:
        # A row that both put in, before another row or, in documents, behind one.
        whole = one.location.column == 1 and one.content.endswith("\n")
        return whole or one.content.startswith("\n")
    if _defined(one) & _defined(other):
        # Each has chosen a name that was free; in the next round it is so no more.
        return False
    return one.end_location < other.location or other.end_location < one.location


#: a row of an edit that gives something new a name
_DEFINITION = re.compile(r"^\s*(?:def )?(\w+)(?: = |\()", re.MULTILINE)


def _defined(edit: Edit) -> set[str]:
    """The names that an edit gives in rows of its own."""
    rows = edit.location == edit.end_location and edit.location.column == 1
    return set(_DEFINITION.findall(edit.content)) if rows else set()


class Fixed:
    """A text with the fixes of some reports, which go together.

    Args:
      text: the text that the reports are about.
      reports: with their fixes.

    Attributes:
      text: the new text.
      reports: as above.
      edits: of all the fixes, each once.
    """

    def __init__(self, text: str, reports: Sequence[Diagnostic]) -> None:
        self.reports = tuple(reports)
        self._starts, self._length = _row_starts(text), len(text)
        fixes = [report.fix for report in reports if report.fix is not None]
        edits = self.edits = tuple(dict.fromkeys(edit for fix in fixes for edit in fix.edits))
        newline = _line_end(text)
        #: where each edit begins and ends in the old text, and what it puts there
        self._edits = sorted(
            (
                self._offset(edit.location),
                self._offset(edit.end_location),
                edit.content.replace("\n", newline),
            )
            for edit in edits
        )
        pieces: list[str] = []
        position = 0
        for start, end, content in self._edits:
            pieces += [text[position:start], content]
            position = end
        self.text = "".join([*pieces, text[position:]])
        self._new_starts = _row_starts(self.text)

    def moved(self, place: Location) -> tuple[Location, Location]:
        """Where a place of the old text is: before and behind what was put in at it."""
        offset = self._offset(place)
        early = late = offset
        for start, end, content in self._edits:
            if start > offset:
                break
            grown = len(content) - (end - start)
            if end <= offset:
                early += grown if start < offset else 0
                late += grown
            else:
                early += start - offset
                late += start - offset
        return self._location(early), self._location(late)

    def extent(self, report: Diagnostic) -> tuple[Location, Location]:
        """Where the new text of a report and its fix is, but for imports that are added."""
        spans = [(report.location, report.end_location)]
        if report.fix is not None:
            spans += [(edit.location, edit.end_location) for edit in report.fix.edits]
        near = [span for span in spans if abs(span[0].row - report.location.row) <= _NEAR]
        start, end = min(span[0] for span in near), max(span[1] for span in near)
        return self.moved(start)[0], self.moved(end)[1]

    def writes(self, report: Diagnostic, place: Location) -> bool:
        """Whether a row of the new text is one that the fix of a report writes."""
        edits = () if report.fix is None else report.fix.edits
        return any(
            self.moved(edit.location)[0].row <= place.row <= self.moved(edit.end_location)[1].row
            for edit in edits
        )

    def _offset(self, place: Location) -> int:
        if place.row > len(self._starts):
            return self._length
        return self._starts[place.row - 1] + place.column - 1

    def _location(self, offset: int) -> Location:
        row = bisect_right(self._new_starts, offset)
        return Location(row, offset - self._new_starts[row - 1] + 1)


#: rows around a report in which an edit is one of its place
_NEAR = 100


def _row_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in LINE_END.finditer(text))]


def _line_end(text: str) -> str:
    """How the rows of a text end: as the first one does."""
    match = LINE_END.search(text)
    return "\n" if match is None else match.group()
