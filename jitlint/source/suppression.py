"""Comments that silence reports.

``# noqa``, ``# noqa: JIT101,JIT2`` and, for a whole file, ``# flake8: noqa`` as flake8 reads them,
``# jitlint: ignore[JIT101] reason``, and ``# jitlint: ignore-file``.  A comment on any line of the
reported statement's header counts, so that a condition broken over several lines can be silenced
where it ends.
"""

from __future__ import annotations

import enum
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from jitlint.source.document import split_lines, with_newlines

_CODE = r"[A-Z]+[0-9]+"
_NOQA = re.compile(
    # As flake8 reads it: a list that does not begin with a code leaves a bare noqa.
    rf"#\s*noqa(?:\s*:\s*(?P<codes>{_CODE}(?:[,\s]+{_CODE})*)|(?![\w-]))",
    re.IGNORECASE,
)
#: alone on its row; with codes it is about these
_NOQA_FILE = re.compile(
    rf"#\s*flake8[:=]\s*noqa(?::\s?(?P<codes>{_CODE}(?:[,\s]+{_CODE})*))?\s*$", re.IGNORECASE
)
_SEPARATOR = re.compile(r"[,\s]+")
_IGNORE = re.compile(r"#\s*jitlint:\s*ignore\[(?P<codes>[^\]]*)\]")
_IGNORE_FILE = re.compile(r"#\s*jitlint:\s*ignore-file(?![\w-])")
_ADDRESSED = re.compile(r"#\s*jitlint:\s*(?P<words>[^#]*)")
_NAMED_RULE = re.compile(r"noqa\s*:[^\n#]*JIT[0-9]", re.IGNORECASE)


class Kind(enum.Enum):
    """What sort of comment it is."""

    NOQA = "# noqa"
    NOQA_FILE = "# flake8: noqa"
    IGNORE = "# jitlint: ignore"
    IGNORE_FILE = "# jitlint: ignore-file"
    #: addressed to jitlint, but nothing that it understands
    UNKNOWN = "# jitlint:"


#: those that flake8 itself heeds
FLAKE8S: Final = frozenset({Kind.NOQA, Kind.NOQA_FILE})
#: those that speak of the whole file
WHOLE_FILE: Final = frozenset({Kind.NOQA_FILE, Kind.IGNORE_FILE})


class Suppression(Struct, frozen=True):
    """One comment.

    Args:
      row: of the comment, from 1.
      prefixes: the codes and prefixes it names; None for a bare noqa, which silences everything.
      kind: which of the spellings it is.
      column: where it starts on its row, in code points from 1.
      text: its words, from ``#`` to the end of its codes.
      codes_end: the column behind the last code it names.
      reason: what follows the words, up to the end of the comment or to another one in it.
      blanks: how many blanks are before it.
      alone: whether nothing else is on the row.
      last: whether the whole comment ends with it.
    """

    row: int
    prefixes: tuple[str, ...] | None
    kind: Kind = Kind.NOQA
    column: int = 1
    text: str = ""
    codes_end: int = 1
    reason: str = ""
    blanks: int = 0
    alone: bool = False
    last: bool = False

    def covers(self, code: str) -> bool:
        """Whether the comment silences this rule, where it stands."""
        if self.kind is Kind.UNKNOWN:
            return False
        return self.prefixes is None or code.upper().startswith(self.prefixes)


@dataclass(frozen=True)
class Suppressions:
    """Every suppression comment of a file.

    Args:
      comments: all of them, in order.
      spans: the rows of each logical line that is longer than one line.
      tokenized: False where the text is no Python and was searched line by line.
    """

    comments: Sequence[Suppression] = ()
    spans: Sequence[range] = ()
    tokenized: bool = True
    _by_row: dict[int, list[Suppression]] = field(default_factory=dict)
    _span_of_row: dict[int, range] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for span in self.spans:
            for row in span:
                self._span_of_row[row] = span
        for comment in self.comments:
            if comment.kind in (Kind.NOQA, Kind.IGNORE):
                for row in self.rows_with(comment.row):
                    self._by_row.setdefault(row, []).append(comment)

    @property
    def whole_file(self) -> bool:
        """Whether a comment silences everything in the file."""
        return any(comment.prefixes is None for comment in self._of_file)

    @property
    def _of_file(self) -> Iterator[Suppression]:
        return (comment for comment in self.comments if comment.kind in WHOLE_FILE)

    def rows_with(self, row: int) -> range:
        """The rows of the logical line that a row belongs to."""
        return self._span_of_row.get(row, range(row, row + 1))

    def at(self, rows: Iterable[int]) -> list[Suppression]:
        """The comments that concern reports on these rows."""
        found = (comment for row in rows for comment in self._by_row.get(row, ()))
        return list(dict.fromkeys(found))

    def silences(self, code: str, rows: Iterable[int]) -> bool:
        """Whether a report of ``code`` that stands on these rows is suppressed."""
        by_file = any(comment.covers(code) for comment in self._of_file)
        return by_file or self.silences_line(code, rows)

    def silences_line(self, code: str, rows: Iterable[int]) -> bool:
        """As :meth:`silences`, by comments on these rows only."""
        return any(comment.covers(code) for comment in self.at(rows))


def may_suppress(text: str) -> bool:
    """Whether a text can hold a suppression at all; a quick test before :func:`read`."""
    return "jitlint:" in text or "noqa" in text.lower()


def may_name_rules(text: str) -> bool:
    """Whether a text can hold a comment about jitlint's rules: all but bare and foreign noqas."""
    if "jitlint:" in text:
        return True
    # The search is slow where case does not count; few texts need it.
    noqa = "noqa" in text or "NOQA" in text or "NoQA" in text
    return noqa and _NAMED_RULE.search(text) is not None


def read(text: str) -> Suppressions:
    """Collect the suppression comments of a file.

    Args:
      text: the source; where it does not tokenize, its lines are searched one by one instead.

    Returns:
      The comments, ready to be asked.
    """
    if not may_suppress(text):
        return Suppressions()
    try:
        return read_strictly(text)
    except ValueError:
        rows = [(row, 1, line, "") for row, line in enumerate(split_lines(text), start=1)]
        return Suppressions(_parse_all(rows), tokenized=False)


def read_strictly(text: str) -> Suppressions:
    """As :func:`read`, but for Python only, whether or not it holds a comment.

    Raises:
      ValueError: the text does not tokenize.
    """
    try:
        found, spans = _tokenized(text)
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError(str(error)) from None
    return Suppressions(_parse_all(found), spans)


def logical_end(lines: Sequence[str], start: int) -> int:
    """The last row of a logical line.

    Args:
      lines: the rows of a module, with their line ends.
      start: the row on which the logical line begins, from 1.

    Returns:
      The row on which it ends; ``start`` where that cannot be told.
    """
    try:
        for token in tokenize.generate_tokens(iter(lines[start - 1 :]).__next__):
            if token.type == tokenize.NEWLINE:
                return start - 1 + token.start[0]
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return start


#: row, column, text, what is before it on its row
_Comment = tuple[int, int, str, str]


def _parse_all(comments: Iterable[_Comment]) -> list[Suppression]:
    return [item for comment in comments for item in _parse(*comment)]


def _parse(row: int, column: int, comment: str, before: str) -> Iterator[Suppression]:
    """The suppressions that one comment states; ``column`` is where the comment starts."""

    def made(match: re.Match[str], prefixes: tuple[str, ...] | None, kind: Kind) -> Suppression:
        has_codes = "codes" in match.re.groupindex and match["codes"] is not None
        end = match.end("codes") if has_codes else match.end()
        text = match.group().rstrip()
        rest = comment[match.start() + len(text) :]
        reason, another, _ = rest.partition("#")
        ahead = comment[: match.start()] or before
        return Suppression(
            row,
            prefixes,
            kind,
            column + match.start(),
            text,
            column + end,
            reason,
            len(ahead) - len(ahead.rstrip()),
            alone and not match.start() and not another,
            not another,
        )

    alone = not before.strip()

    of_file = _NOQA_FILE.match(comment.lstrip()) if alone else None
    noqa = of_file or _NOQA.search(comment)
    if noqa is not None:
        named = noqa["codes"]
        prefixes = tuple(_SEPARATOR.split(named.upper())) if named else None
        yield made(noqa, prefixes, Kind.NOQA if of_file is None else Kind.NOQA_FILE)
    for match in _ADDRESSED.finditer(comment):
        ignore = _IGNORE.match(comment, match.start())
        ignore_file = _IGNORE_FILE.match(comment, match.start())
        if ignore is not None:
            codes = [code.strip().upper() for code in ignore["codes"].split(",")]
            yield made(ignore, tuple(code for code in codes if code), Kind.IGNORE)
        elif ignore_file is not None:
            yield made(ignore_file, None, Kind.IGNORE_FILE)
        else:
            yield made(match, (), Kind.UNKNOWN)


def _tokenized(text: str) -> tuple[list[_Comment], Sequence[range]]:
    """Comments with rows and columns, and the row spans of logical lines longer than one line."""
    comments: list[_Comment] = []
    spans: list[range] = []
    first: int | None = None
    ignored = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(with_newlines(text)).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            comments.append((row, column + 1, token.string, token.line[:column]))
        elif token.type == tokenize.NEWLINE:
            if first is not None and token.start[0] > first:
                spans.append(range(first, token.start[0] + 1))
            first = None
        elif token.type not in ignored and first is None:
            first = token.start[0]
    return comments, spans
