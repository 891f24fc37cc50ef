"""Where code stands: what is kept of rows of a file is moved to the rows that its code has now.

A record holds although rows were put in above its code, or comments inside; then each row that
counts of a unit goes to where the same row of that unit stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec
from msgspec.structs import replace

from jitlint.cache.folder import digest
from jitlint.cache.stores import Store
from jitlint.diagnostics import Diagnostic, Edit, Location, TraceStep
from jitlint.project.index import ModuleIndex
from jitlint.project.project import Project
from jitlint.recall.decoding import decoded

#: the rows of what a file holds that count, by the keys of units and classes, each with a number
#: that tells what stands there from most other things
Layout = Mapping[tuple[str, str, int], list[tuple[int, int]]]
#: by file, where its rows went
Moves = Mapping[str, Mapping[int, int]]
#: where a row went that was touched
TOUCHED: Final = 0


class UnknownRowError(LookupError):
    """Nobody knows where a row went: no unit has it."""


class Layouts:
    """The layouts of files that records name.

    Args:
      store: where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, project: Project, path: str, source: str) -> None:
        """Keep where the code of a file stands, whose source has a digest."""
        key = digest(path, source)
        if self._store.writable and not self._store.has("rows", key):
            module = project.module_at(Path(path))
            if module is not None:
                self._store.write("rows", key, msgspec.msgpack.encode(_layout(module)))

    def moves(
        self, project: Project, path: str, source: str, *, changed: bool = False
    ) -> Mapping[int, int]:
        """Where the rows of a file went since its source had a digest; empty if nobody knows.

        Args:
          project: holds the file as it is now.
          path: the file.
          source: the digest.
          changed: whether code may have changed; then rows went only where the same still stands.
        """
        data = self._store.read("rows", digest(path, source))
        module = project.module_at(Path(path))
        before = decoded(data, dict[tuple[str, str, int], list[tuple[int, int]]])
        if before is None or module is None:
            return {}
        return _same_rows(before, _layout(module)) if changed else _moves(before, module.layout)


def _layout(module: ModuleIndex) -> Layout:
    """Where the code of a module stands."""
    rows = module.plain.rows
    return {
        key: [(row, crc32(rows[row - 1].strip().encode(errors="replace"))) for row in counting]
        for key, counting in module.layout.items()
    }


def _moves(before: Layout, after: Mapping[tuple[str, str, int], Sequence[int]]) -> dict[int, int]:
    """Where rows went that stand in what is as long as it was."""
    moves: dict[int, int] = {}
    for key, rows in before.items():
        now = after.get(key, ())
        if len(now) == len(rows):
            moves.update(zip((row for row, _ in rows), now, strict=True))
    return moves


def _same_rows(before: Layout, after: Layout) -> dict[int, int]:
    """Where rows went in units that may have changed."""
    moves: dict[int, int] = {}
    for key, rows in before.items():
        now = after.get(key, [])
        moves.update((row, moves.get(row, TOUCHED)) for row, _ in rows)
        old, new = [said for _, said in rows], [said for _, said in now]
        blocks = SequenceMatcher(None, old, new, False).get_matching_blocks()
        for start, there, size in blocks if old != new else [(0, 0, len(old))]:
            moves.update((rows[start + n][0], now[there + n][0]) for n in range(size))
    return moves


def moved(item: Diagnostic, moves: Moves) -> Diagnostic:
    """A report with the rows that its code has now.

    Raises:
      UnknownRowError: nobody knows where a row went.
    """
    try:
        return _moved(item, moves)
    except KeyError as error:
        raise UnknownRowError(*error.args) from None


def _moved(item: Diagnostic, moves: Moves) -> Diagnostic:
    trace = tuple(
        replace(step, row=moves[step.filename][step.row]) if step.filename in moves else step
        for step in item.trace
    )
    rows = moves.get(item.filename)
    if rows is None:
        return item if trace == item.trace else replace(item, trace=trace)

    def at(place: Location) -> Location:
        return Location(rows[place.row], place.column)

    def edited(edit: Edit) -> Edit:
        return replace(edit, location=at(edit.location), end_location=at(edit.end_location))

    fix = item.fix
    return replace(
        item,
        location=at(item.location),
        end_location=at(item.end_location),
        noqa_row=rows[item.noqa_row],
        trace=trace,
        fix=None if fix is None else replace(fix, edits=tuple(map(edited, fix.edits))),
    )


def left_alone(
    item: Diagnostic, moves_of: Callable[[Diagnostic | TraceStep], Mapping[int, int] | None]
) -> Diagnostic | None:
    """A report where its code stands now, without its fix; None where that code was touched.

    Args:
      item: the report.
      moves_of: where the rows went around a report or a step of its chain; None where none went
        anywhere.
    """
    moves = moves_of(item)
    unfixed = replace(item, trace=_steps_left(item, moves_of), fix=None)
    if moves is None:
        return unfixed
    first, last = item.location.row, item.end_location.row
    now = moves.get(first, TOUCHED)
    shift = now - first
    counting = (row for row in range(first, last + 1) if row in moves)
    if now == TOUCHED or any(moves[row] != row + shift for row in counting):
        return None
    return replace(
        unfixed,
        location=Location(first + shift, item.location.column),
        end_location=Location(last + shift, item.end_location.column),
        noqa_row=moves.get(item.noqa_row, first + shift),
    )


def _steps_left(
    item: Diagnostic, moves_of: Callable[[Diagnostic | TraceStep], Mapping[int, int] | None]
) -> tuple[TraceStep, ...]:
    """The steps of a chain that were not touched, where their code stands now."""
    found = []
    for step in item.trace:
        moves = moves_of(step)
        row = step.row if moves is None else moves.get(step.row, TOUCHED)
        if row != TOUCHED:
            found.append(replace(step, row=row))
    return tuple(found)


def files_named(items: Iterable[Diagnostic]) -> set[str]:
    """The files in which reports name rows."""
    found = set()
    for item in items:
        found.add(item.filename)
        found.update(step.filename for step in item.trace)
    return found
