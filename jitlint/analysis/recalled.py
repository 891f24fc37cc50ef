"""Which parts are known from earlier runs, and which are taken for known because time presses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from jitlint.analysis.parts.records import PartRecord
from jitlint.analysis.parts.stored_parts import StoredParts
from jitlint.analysis.parts.validity import Foundations

#: steps of the interpreter that are waited for: about a quarter of a second
STEPS_WAITED_FOR: Final = 4_000


class Recalled(Struct, frozen=True):
    """What is known of the parts of an analysis by the files in which they start.

    Args:
      records: those that hold.
      outdated: those that may not, where something has to be said soon.
    """

    records: Mapping[Path, PartRecord]
    outdated: Mapping[Path, PartRecord]


def recall(
    store: StoredParts,
    paths: Iterable[Path],
    foundations: Callable[[Path], Foundations],
    now: Collection[Path] | None,
) -> Recalled:
    """Find out what is known of some parts.

    Args:
      store: knows parts of earlier runs.
      paths: the files in which the parts start.
      foundations: of what starts in a file.
      now: where something has to be said soon: the files of which nothing outdated will do.
    """
    records: dict[Path, PartRecord] = {}
    late: dict[Path, PartRecord] = {}
    for path in paths:
        record = store.find(path)
        if record is None:
            continue
        moved = None
        if foundations(path).holds(path, record):
            moved = foundations(path).moved(record, store.layouts)
        if moved is not None:
            records[path] = moved
        elif now is not None and path not in now:
            late[path] = record
    if sum(record.steps for record in late.values()) <= STEPS_WAITED_FOR:
        return Recalled(records, {})
    outdated = {
        path: foundations(path).outdated(record, store.layouts) for path, record in late.items()
    }
    return Recalled(records, outdated)
