"""The rows of a module as they count: without comments, and without rows that hold nothing else.

Comments, blank rows and blanks at the end of a row change nothing of what code does, so nothing
that is found out may depend on them.  Everything else stays as it is, for messages quote it.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final

from jitlint.foundation.rows import rows_of, words_of

#: a text; a backslash with all that stands behind it, for the row goes on; or a comment
_TOKEN: Final = re.compile(
    r"""(?P<text>\"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\"
        |\'\'\'[^'\\]*(?:(?:\\.|'(?!\'\'))[^'\\]*)*\'\'\'
        |"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*')
    |(?P<joined>\\[^\n]*(?:\n(?:[ \t\f]*\#[^\n]*)?)?)
    |(?P<comment>\#[^\n]*)""",
    re.VERBOSE | re.DOTALL,
)
#: the letters in front of a text: looking for them everywhere would take most of the time
_PREFIX: Final = re.compile(r"\b[A-Za-z]{1,2}\Z")
#: what Python takes for blanks in a row, which is less than ``str.strip`` does
_BLANKS: Final = " \t\f"
_BLANKS_AND_END: Final = f"{_BLANKS}\n"
#: the tokens in which Python tells of a text with expressions in it, where it does
_BEGIN: Final = getattr(tokenize, "FSTRING_START", None)
_END: Final = getattr(tokenize, "FSTRING_END", None)
#: whether texts may hold texts in the quotes that they stand in themselves: ``f"{d["k"]}"``
_NESTED_QUOTES: Final = sys.version_info >= (3, 12)


class PlainCode:
    """The rows of a module without comments.

    Args:
      text: the module's source.

    Attributes:
      rows: the rows with their line ends; there are as many as in the source.
    """

    def __init__(self, text: str) -> None:
        plain, inner = _by_pattern(text) or _by_tokens(text)
        #: the rows that begin inside of a text, or behind a backslash: they count as they stand
        self._inner = inner
        self.rows = rows_of(plain)
        self.text = plain

    @cached_property
    def words(self) -> frozenset[str]:
        """Every identifier that occurs anywhere in the code and its texts, and numbers."""
        return words_of(self.text)

    def counting(self, first: int, last: int) -> list[int]:
        """The rows from one to another, both included, that hold more than blanks and comments."""
        rows, inner = self.rows, self._inner
        return [
            row
            for row in range(first, min(last, len(rows)) + 1)
            if row in inner or rows[row - 1].strip(_BLANKS_AND_END)
        ]

    def normal(self, text: str, first: int) -> str:
        """A piece of the text without what does not count.

        Args:
          text: whole rows, but for the first and last.
          first: the first row.
        """
        found = []
        for row, line in enumerate(rows_of(text), start=first):
            if row + 1 in self._inner:
                found.append(line)
            elif row in self._inner or line.strip(_BLANKS_AND_END):
                found.append(f"{line.rstrip(_BLANKS_AND_END)}\n")
        return "".join(found)


def _by_pattern(text: str) -> tuple[str, set[int]] | None:
    """A text without comments, and rows that begin inside of texts; None if that is not sure."""
    if "#" not in text and '"""' not in text and "'''" not in text and "\\" not in text:
        return text, set()
    pieces: list[str] = []
    inside: list[tuple[int, int]] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match["comment"] is not None:
            pieces.append(text[end : match.start()].rstrip(_BLANKS))
            end = match.end()
            continue
        joined = match["joined"]
        if joined is not None:
            if "\n" not in joined:
                return None
            inside.append(match.span("joined"))
            continue
        quoted = match["text"]
        if _NESTED_QUOTES and quoted.count("{") != quoted.count("}"):
            start = match.start()
            prefix = _PREFIX.search(text, max(start - 2, 0), start)
            if prefix is not None and not {"f", "t"}.isdisjoint(prefix[0].lower()):
                return None
        if "\n" in quoted:
            inside.append((match.start("text"), match.end("text")))
    pieces.append(text[end:])
    return "".join(pieces), set(_rows_within(text, inside))


def _rows_within(text: str, spans: list[tuple[int, int]]) -> Iterator[int]:
    """The rows that begin within some spans of a text, which are in order."""
    row, at = 1, 0
    for start, end in spans:
        row += text.count("\n", at, start)
        further = text.count("\n", start, end)
        yield from range(row + 1, row + further + 1)
        row, at = row + further, end


def _by_tokens(text: str) -> tuple[str, set[int]]:
    """The same, by Python's own tokens.  Of what has none, nothing is left out."""
    rows = text.split("\n")
    offsets = [0, *accumulate(len(row) + 1 for row in rows)]
    inner: set[int] = set()
    cuts: list[tuple[int, int]] = []
    begun: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            first, last = token.start[0], token.end[0]
            if token.type == tokenize.COMMENT:
                start = offsets[first - 1] + len(rows[first - 1][: token.start[1]].rstrip(_BLANKS))
                cuts.append((start, offsets[first - 1] + token.end[1]))
            elif token.type == _BEGIN:
                begun.append(first)
            elif token.type == _END:
                inner.update(range(begun.pop() + 1, last + 1))
            elif last > first and token.type not in (tokenize.NEWLINE, tokenize.NL):
                inner.update(range(first + 1, last + 1))
    except (tokenize.TokenError, SyntaxError):
        return text, set(range(2, len(rows) + 2))
    inner.update(row + 1 for row, line in enumerate(rows, start=1) if line.endswith("\\"))
    pieces, end = [], 0
    for start, stop in cuts:
        pieces.append(text[end:start])
        end = stop
    return "".join([*pieces, text[end:]]), inner
