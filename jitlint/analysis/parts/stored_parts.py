"""Records of parts as a store holds them; how they are written follows from their types."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from jitlint.absint import events
from jitlint.analysis.parts.records import PartRecord
from jitlint.cache.stores import Store
from jitlint.recall.layouts import Layouts
from jitlint.recall.whole_runs import WholeRuns

_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=lambda item: _written(item))


class StoredParts:
    """The parts of one project.

    Args:
      store: where they are kept.
      whole: knows how the files of the project are now.
    """

    def __init__(self, store: Store, whole: WholeRuns) -> None:
        self.store = store
        self.whole = whole
        self.layouts = Layouts(store)
        #: the files whose functions were interpreted in this run
        self.interpreted = store.interpreted

    def find(self, path: Path) -> PartRecord | None:
        """What is known of a file, whether or not it still holds."""
        return read(self.store.read("part", str(path)))

    def keep(self, path: Path, record: PartRecord) -> None:
        """Remember what came of a file."""
        if self.store.writable:
            self.store.write("part", str(path), _ENCODER.encode(record))


def read(data: bytes | None) -> PartRecord | None:
    """The record that was written; None where that is something else, whatever it is."""
    try:
        return None if data is None else _decoder().decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


@cache
def _decoder() -> msgspec.msgpack.Decoder[PartRecord]:
    return msgspec.msgpack.Decoder(PartRecord, dec_hook=_read_item)


def _written(item: object) -> str:
    """What is written of a class of events, which is all that msgspec knows no way to write."""
    if isinstance(item, type) and issubclass(item, events.Event):
        return item.__name__
    raise NotImplementedError(f"a record holds a {type(item).__name__}")


def _read_item(kind: object, name: object) -> object:
    found = getattr(events, str(name), None)
    if isinstance(found, type) and issubclass(found, events.Event):
        return found
    raise ValueError(f"{name!r} is no event")
