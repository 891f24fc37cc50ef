"""Columns as editors count them: in bytes, in UTF-16 code units or in code points."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from lsprotocol import types

from jitlint.source.document import LINE_END, split_lines


class Encoding(enum.Enum):
    """What one unit of a column is."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def count(self, text: str) -> int:
        """The length of a text in units."""
        if self is Encoding.UTF32 or text.isascii():
            return len(text)
        # An editor may send half a surrogate pair; it counts as what it would take alone.
        if self is Encoding.UTF8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def points(self, line: str, units: int) -> int:
        """How many code points of a line lie before a column.

        Args:
          line: the line, without its end.
          units: the column from 0; in the middle of a character it means the one before it, and
            past the line's end that end.

        Returns:
          A number of code points from 0.
        """
        if self is Encoding.UTF32 or line.isascii():
            return max(0, min(units, len(line)))
        seen = 0
        for index, character in enumerate(line):
            seen += self.count(character)
            if seen > units:
                return index
        return len(line)


def position(lines: Sequence[str], row: int, column: int, encoding: Encoding) -> types.Position:
    """A place of ours as the protocol writes it.

    Args:
      lines: of the text that the place is in, without line ends.
      row: from 1; past the last line it means the last line's end.
      column: in code points, from 1; past the line's end it means that end.
      encoding: the client's.

    Returns:
      The position.
    """
    if row > len(lines):
        last = max(len(lines) - 1, 0)
        return types.Position(last, encoding.count(lines[last]) if lines else 0)
    row = max(row, 1)
    line = lines[row - 1]
    return types.Position(row - 1, encoding.count(line[: max(column - 1, 0)]))


def place(lines: Sequence[str], at: types.Position, encoding: Encoding) -> tuple[int, int]:
    """A position of the protocol as a row and a column, both from 1, in code points."""
    if at.line >= len(lines):
        return len(lines), len(lines[-1]) + 1 if lines else 1
    return at.line + 1, encoding.points(lines[at.line], at.character) + 1


def replaced(text: str, span: types.Range, new: str, encoding: Encoding) -> str:
    """A text with a range of it replaced, as ``textDocument/didChange`` asks.

    Args:
      text: the text.
      span: what to replace; positions past an end mean that end.
      new: what to put there.
      encoding: the client's.

    Returns:
      The new text.
    """
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    lines = split_lines(text)

    def offset(at: types.Position) -> int:
        if at.line >= len(lines):
            return len(text)
        return starts[at.line] + encoding.points(lines[at.line], at.character)

    first, last = sorted((offset(span.start), offset(span.end)))
    return f"{text[:first]}{new}{text[last:]}"
