"""Comments that silence reports.

``# noqa`` and ``# noqa: JIT101,JIT2`` as flake8 reads them, ``# jitlint: ignore[JIT101] reason``,
and ``# jitlint: ignore-file``.  A comment on any line of the reported statement's header counts, so
that a condition broken over several lines can be silenced where it ends.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jitlint.source.documents import split_lines

_CODE = r"[A-Z]+[0-9]+"
_NOQA = re.compile(
    # As flake8 reads it: a list that does not begin with a code leaves a bare noqa.
    rf"#\s*noqa(?:\s*:\s*(?P<codes>{_CODE}(?:[,\s]+{_CODE})*)|(?![\w-]))",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[,\s]+")
_IGNORE = re.compile(r"#\s*jitlint:\s*ignore\[(?P<codes>[^\]]*)\]")
_IGNORE_FILE = re.compile(r"#\s*jitlint:\s*ignore-file(?![\w-])")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment.

    Args:
      row: of the comment, from 1.
      prefixes: the codes and prefixes it names; None for a bare noqa, which silences everything.
    """

    row: int
    prefixes: tuple[str, ...] | None

    def covers(self, code: str) -> bool:
        """Whether the comment silences this rule."""
        return self.prefixes is None or code.upper().startswith(self.prefixes)


@dataclass(frozen=True)
class Suppressions:
    """Every suppression comment of a file.

    Args:
      by_row: comments that concern a row: those on it, and those on other rows of the same
        logical line.
      whole_file: there is a ``# jitlint: ignore-file``.
    """

    by_row: dict[int, tuple[Suppression, ...]] = field(default_factory=dict)
    whole_file: bool = False

    def silences(self, code: str, rows: Iterable[int]) -> bool:
        """Whether a report of ``code`` that stands on these rows is suppressed."""
        if self.whole_file:
            return True
        return any(
            suppression.covers(code) for row in rows for suppression in self.by_row.get(row, ())
        )


def may_suppress(text: str) -> bool:
    """Whether a text can hold a suppression at all; a quick test before :func:`read`."""
    return "jitlint:" in text or "noqa" in text.lower()


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
        comments, spans = _tokenized(text)
    except (tokenize.TokenError, SyntaxError, ValueError):
        comments, spans = list(enumerate(split_lines(text), start=1)), []
    span_of_row = {row: span for span in spans for row in span}
    by_row: dict[int, tuple[Suppression, ...]] = {}
    whole_file = False
    for row, comment in comments:
        whole_file = whole_file or _IGNORE_FILE.search(comment) is not None
        for suppression in _parse(row, comment):
            for covered in span_of_row.get(row, (row,)):
                by_row[covered] = (*by_row.get(covered, ()), suppression)
    return Suppressions(by_row, whole_file)


def _parse(row: int, comment: str) -> Iterable[Suppression]:
    """The suppressions that one comment states."""
    noqa = _NOQA.search(comment)
    if noqa is not None:
        named = noqa["codes"]
        yield Suppression(row, tuple(_SEPARATOR.split(named.upper())) if named else None)
    for ignore in _IGNORE.finditer(comment):
        codes = [code.strip().upper() for code in ignore["codes"].split(",")]
        yield Suppression(row, tuple(code for code in codes if code))


def _tokenized(text: str) -> tuple[list[tuple[int, str]], Sequence[range]]:
    """Comments with their rows, and the row spans of logical lines longer than one line."""
    comments: list[tuple[int, str]] = []
    spans: list[range] = []
    first: int | None = None
    ignored = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string))
        elif token.type == tokenize.NEWLINE:
            if first is not None and token.start[0] > first:
                spans.append(range(first, token.start[0] + 1))
            first = None
        elif token.type not in ignored and first is None:
            first = token.start[0]
    return comments, spans
