"""What is still said of a document that is no Python just now.

While somebody types, a document is broken at every other keystroke.  What was last said of it goes
on to hold in the rows that have not been touched since, wherever they stand now; only what is found
in spite of the fault counts more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

from jitlint.diagnostics import Diagnostic, TraceStep
from jitlint.recall.layouts import TOUCHED, left_alone

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
    last = max((item.end_location.row for item in before), default=0)
    rows = dict.fromkeys(range(1, last + 1), TOUCHED) | dict(moves)

    def here(item: Diagnostic) -> Diagnostic | None:
        document = item.filename, item.cell

        def moves_of(part: Diagnostic | TraceStep) -> Mapping[int, int] | None:
            return rows if (part.filename, part.cell) == document else None

        return left_alone(item, moves_of)

    moved = [there for item in before if (there := here(item)) is not None]
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
