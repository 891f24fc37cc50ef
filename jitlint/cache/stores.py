"""Where results are kept: in a folder, or in the memory of a process; both hold bytes by key."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Protocol


class Store(Protocol):
    """What is kept of one project.

    Attributes:
      writable: whether anything may be kept.
      interpreted: is told the files whose functions were interpreted.
    """

    writable: bool
    interpreted: list[Path]

    def begin(self, paths: Collection[Path]) -> None:
        """An analysis of these files begins."""

    def read(self, kind: str, key: str) -> bytes | None:
        """What is kept of a kind under a key, None where that is nothing."""

    def has(self, kind: str, key: str) -> bool:
        """Whether something is kept of a kind under a key."""

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Keep something."""
