"""Records of parts in a folder; how they are written follows from their types."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from jitlint.absint import events
from jitlint.analysis.records import Layout, PartRecord
from jitlint.cache.folder import PartFolder, digest

_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=lambda item: _written(item))


class StoredParts:
    """The parts of one project in a folder.

    Args:
      folder: where they are kept.
    """

    def __init__(self, folder: PartFolder) -> None:
        self._folder = folder
        #: the files whose functions were interpreted in this run
        self.interpreted = folder.interpreted

    def find(self, path: Path) -> PartRecord | None:
        """What is known of a file, whether or not it still holds."""
        found: PartRecord | None = _read(PartRecord, self._folder.read("part", str(path)))
        return found

    def keep(self, path: Path, record: PartRecord) -> None:
        """Remember what came of a file."""
        if self._folder.writable:
            self._folder.write("part", str(path), _ENCODER.encode(record))

    def find_layout(self, path: str, source: str) -> Layout | None:
        """Where the code of a file stood when its source had a digest."""
        found: Layout | None = _read(Layout, self._folder.read("rows", digest(path, source)))
        return found

    def keep_layout(self, path: str, source: str, layout: Layout) -> None:
        """Remember where the code of a file stands."""
        key = digest(path, source)
        if self._folder.writable and not self._folder.has("rows", key):
            self._folder.write("rows", key, _ENCODER.encode(layout))


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_read_item)


def _read(kind: Any, data: bytes | None) -> Any:
    """What was written; None where that is something else, whatever it is."""
    try:
        return None if data is None else _decoder(kind).decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


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
