"""What is still said of a document that is no Python just now.

While somebody types, a document is broken at every other keystroke.  What was last said of it goes
on to hold in the rows that have not been touched since, wherever they stand now; only what is found
in spite of the fault counts more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from jitlint.diagnostics import Diagnostic, Location, TraceStep

#: rows between the first and the last change that are compared one by one
_MOST_ROWS: Final = 2_000


def still_said(
    before: Sequence[Diagnostic], moves: Mapping[int, int], found: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """The reports on a document that is no Python.

    Args:
      before: the reports on it as it last was Python.
      moves: where the rows went that it had then and still has.
      found: the reports on what can be made of it now.

    Returns:
      All that hold, in order, without the fixes of those that were found before: these are about
      another text.
    """
    places = {(item.code, item.location) for item in found}
    moved = [there for item in before if (there := _moved(item, moves)) is not None]
    held = [item for item in moved if (item.code, item.location) not in places]
    return sorted([*found, *held], key=lambda item: item.sort_key)


def moves_between(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Where the rows went that two texts share, counted from 1.

    Args:
      before: the rows of the one.
      after: the rows of the other.
    """
    most = min(len(before), len(after))
    first = next((n for n in range(most) if before[n] != after[n]), most)
    last = next((n for n in range(most - first) if before[~n] != after[~n]), most - first)
    moves = {row: row for row in range(1, first + 1)}
    shift = len(after) - len(before)
    moves.update((row, row + shift) for row in range(len(before) - last + 1, len(before) + 1))
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    if len(old) + len(new) <= _MOST_ROWS:
        for start, there, size in SequenceMatcher(None, old, new, False).get_matching_blocks():
            moves.update((first + start + n + 1, first + there + n + 1) for n in range(size))
    return moves


def _moved(item: Diagnostic, moves: Mapping[int, int]) -> Diagnostic | None:
    """A report where its code stands now; None where that was touched."""
    first, last = item.location.row, item.end_location.row
    shift = moves.get(first, 0) - first
    if any(moves.get(row) != row + shift for row in range(first, last + 1)):
        return None
    steps = [_moved_step(step, item, moves) for step in item.trace]
    return replace(
        item,
        location=Location(first + shift, item.location.column),
        end_location=Location(last + shift, item.end_location.column),
        noqa_row=moves.get(item.noqa_row, first + shift),
        trace=tuple(step for step in steps if step is not None),
        fix=None,
    )


def _moved_step(step: TraceStep, item: Diagnostic, moves: Mapping[int, int]) -> TraceStep | None:
    """A step of a chain where its code stands now; None where that was touched."""
    if (step.filename, step.cell) != (item.filename, item.cell):
        return step
    row = moves.get(step.row)
    return None if row is None else replace(step, row=row)
