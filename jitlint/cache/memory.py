"""What one process keeps from one analysis to the next: the same bytes as in a folder, by key."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

#: kinds of which a file has one record; all else is kept for as long as it is asked for
_BY_FILE: Final = "part"
#: how much else there is for each file, in the long run
_OTHERS_PER_FILE: Final = 4


class PartMemory:
    """Parts that one process remembers from one analysis to the next.

    Attributes:
      writable: whether anything may be kept.
      interpreted: is told the files whose functions were interpreted.
    """

    def __init__(self) -> None:
        self.writable = True
        self.interpreted: list[Path] = []
        self._kept: dict[tuple[str, str], bytes] = {}

    def begin(self, paths: Collection[Path]) -> None:
        """An analysis of these files begins: what is kept of all others is forgotten."""
        self.interpreted.clear()
        files = set(map(str, paths))
        others = [item for item in self._kept if item[0] != _BY_FILE]
        # The longest unused first.
        gone = others[: max(0, len(others) - _OTHERS_PER_FILE * len(files))]
        gone += [item for item in self._kept if item[0] == _BY_FILE and item[1] not in files]
        for item in gone:
            del self._kept[item]

    def read(self, kind: str, key: str) -> bytes | None:
        """What is kept of a kind under a key, None where that is nothing."""
        found = self._kept.pop((kind, key), None)
        if found is not None:
            self._kept[kind, key] = found
        return found

    def has(self, kind: str, key: str) -> bool:
        """Whether something is kept of a kind under a key."""
        return (kind, key) in self._kept

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Keep something."""
        self._kept.pop((kind, key), None)
        self._kept[kind, key] = content
