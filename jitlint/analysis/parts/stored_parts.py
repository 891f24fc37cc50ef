"""Records of parts as a store holds them; how they are written follows from their types."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from jitlint.absint import events
from jitlint.analysis.parts.records import PartRecord
from jitlint.cache.stores import Store
from jitlint.project.project import Project
from jitlint.project.reading import fingerprint
from jitlint.recall.layouts import Layouts

_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=lambda item: _written(item))


class StoredParts:
    """The parts of one project.

    Args:
      store: where they are kept.
      sources: digests of the sources of all files, where other things are kept as well.
    """

    def __init__(self, store: Store, sources: Mapping[str, str] | None = None) -> None:
        self._store = store
        self.sources = sources
        self._edges: str | None = None
        self.layouts = Layouts(store)
        #: the files whose functions were interpreted in this run
        self.interpreted = store.interpreted

    def find(self, path: Path) -> PartRecord | None:
        """What is known of a file, whether or not it still holds."""
        return read(self._store.read("part", str(path)))

    def other(self, kind: str, key: str) -> bytes | None:
        """What is kept of anything else."""
        return self._store.read(kind, key)

    def keep_other(self, kind: str, key: str, content: bytes) -> None:
        """Keep anything else."""
        if self._store.writable:
            self._store.write(kind, key, content)

    def edges(self, project: Project) -> str:
        """A fingerprint of the import graph of the project."""
        if self._edges is None:
            self._edges = fingerprint(tuple(project.graph.edges))
        return self._edges

    def keep(self, path: Path, record: PartRecord) -> None:
        """Remember what came of a file."""
        if self._store.writable:
            self._store.write("part", str(path), _ENCODER.encode(record))


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
