"""Where code stands: what is kept of rows of a file is moved to the rows that its code has now.

A record holds although rows were put in above its code, or comments inside; then each row that
counts of a unit goes to where the same row of that unit stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from jitlint.cache.folder import digest
from jitlint.cache.stores import Store
from jitlint.diagnostics import Diagnostic, Edit, Location
from jitlint.project.project import Project

#: the rows of what a file holds that count, by the keys of units and classes
Layout = Mapping[tuple[str, str, int], list[int]]
#: by file, where its rows went
Moves = Mapping[str, Mapping[int, int]]


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
                self._store.write("rows", key, msgspec.msgpack.encode(module.layout))

    def moves(self, project: Project, path: str, source: str) -> Mapping[int, int]:
        """Where the rows of a file went since its source had a digest; empty if nobody knows."""
        data = self._store.read("rows", digest(path, source))
        module = project.module_at(Path(path))
        if data is None or module is None:
            return {}
        try:
            before = msgspec.msgpack.decode(data, type=dict[tuple[str, str, int], list[int]])
        except (msgspec.DecodeError, RecursionError):
            return {}
        return _moves(before, module.layout)


def _moves(before: Layout, after: Layout) -> dict[int, int]:
    """Where rows went that stand in what is as long as it was."""
    moves: dict[int, int] = {}
    for key, rows in before.items():
        now = after.get(key, ())
        if len(now) == len(rows):
            moves.update(zip(rows, now, strict=True))
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


def files_named(items: Iterable[Diagnostic]) -> set[str]:
    """The files in which reports name rows."""
    found = set()
    for item in items:
        found.add(item.filename)
        found.update(step.filename for step in item.trace)
    return found
