"""The text of a file, of which something is asked whether or not it is ever indexed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jitlint.project.plain_code import PlainCode
from jitlint.project.reading import Subject


class FileText(Subject):
    r"""The text of a file.

    Args:
      path: the file.
      source: the text with ``\n`` line ends, comments and all.
      plain: the text as it counts.
    """

    def __init__(self, path: Path, source: str, plain: PlainCode) -> None:
        self.path = path
        self.source = source
        self._plain = plain
        self._facts: dict[Any, Any] = {}

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from the other subjects of its file: there is one."""
        return "text", "", 0

    @property
    def code(self) -> str:
        """The text without comments."""
        return self._plain.text

    @property
    def words(self) -> frozenset[str]:
        """Every identifier in the code; who asks says of which words, to whoever keeps that."""
        return self._plain.words
