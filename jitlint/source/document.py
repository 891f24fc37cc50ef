"""The Python of a file, and where each of its rows stands in the file as it was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from msgspec import Struct

NOTEBOOK_SUFFIXES = (".ipynb",)
#: of files that hold Python among other things
DOCUMENT_SUFFIXES = (*NOTEBOOK_SUFFIXES, ".md", ".markdown", ".rst")

# The only three line ends of Python source.  str.splitlines would also split at form feeds and
# Unicode separators, which stay inside a line for the tokenizer.
LINE_END = re.compile(r"\r\n|\r|\n")


class Origin(Struct, frozen=True):
    """Where a row of Python stands in a document that is more than Python.

    Args:
      cell: the code cell, from 1; None outside notebooks.
      row: in the cell or the file, from 1.
      shift: how many code points further right it stands there.
    """

    cell: int | None
    row: int
    shift: int


@dataclass(frozen=True)
class Document:
    """The text of one Python file, or the Python of a notebook or of prose.

    Args:
      path: where it came from, or the name that was given to standard input.
      text: decoded, without a byte order mark, newlines as written.
      encoding: the codec's name.
      has_bom: whether the bytes began with a UTF-8 byte order mark.
      origins: for each row of ``text`` where it comes from; None where it is the file's own text.
      broken: parts that were left out because they are no Python; rows are those of ``text``.
      cells: the rows of each cell as written, of prose the rows of the file as the only one.
    """

    path: Path
    text: str
    encoding: str = "utf-8"
    has_bom: bool = False
    origins: tuple[Origin, ...] | None = None
    broken: tuple[DecodeFailure, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; row ``r`` is ``lines[r - 1]``."""
        return split_lines(self.text)

    def line(self, row: int) -> str:
        """The line at ``row`` (from 1), or an empty string past either end."""
        return self.lines[row - 1] if 1 <= row <= len(self.lines) else ""

    def origin(self, row: int, column: int) -> tuple[int | None, int, int]:
        """The cell, row and column in the file for a place in ``text``."""
        if not self.origins:
            return None, row, column
        origin = self.origins[min(row, len(self.origins)) - 1]
        return origin.cell, origin.row, max(1, column + origin.shift)

    def place(self, cell: int | None, row: int, column: int) -> tuple[int, int]:
        """The row and column in ``text`` of a place in the file: the inverse of ``origin``."""
        for number, origin in enumerate(self.origins or (), 1):
            if (origin.cell, origin.row) == (cell, row):
                return number, max(1, column - origin.shift)
        return row, column

    def written(self, cell: int | None) -> tuple[str, ...]:
        """The rows that :meth:`origin` refers to."""
        if self.origins is None:
            return self.lines
        number = 1 if cell is None else cell
        return self.cells[number - 1] if number <= len(self.cells) else ()


class DecodeFailure(Struct, frozen=True):
    """Why a file is not Python text, and where; rows and columns count from 1."""

    path: Path
    message: str
    row: int = 1
    column: int = 1


def is_document(path: Path) -> bool:
    """Whether a file of this name holds Python among other things."""
    return path.suffix.lower() in DOCUMENT_SUFFIXES


def is_prose(path: Path) -> bool:
    """Whether a file of this name is Markdown or the like."""
    return is_document(path) and path.suffix.lower() not in NOTEBOOK_SUFFIXES


def with_newlines(text: str) -> str:
    """The text as the tokenizer wants it, to which a lone carriage return ends no line."""
    return LINE_END.sub("\n", text) if "\r" in text else text


def split_lines(text: str) -> tuple[str, ...]:
    """Split at the line ends Python knows and at no other character."""
    if "\r" not in text:
        return tuple(text.split("\n"))
    return tuple(LINE_END.split(text))
