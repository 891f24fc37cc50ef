"""Writing ``# noqa`` comments into source, without touching anything else in it."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jitlint.source import suppression
from jitlint.source.decoding import decode
from jitlint.source.document import DecodeFailure, Document, with_newlines
from jitlint.source.suppression import Kind, Suppression, Suppressions

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def is_reason(text: str) -> bool:
    """Whether a comment is read as before with this text behind its codes."""
    if not text.isprintable():
        return False
    found = suppression.read(f"pass  # noqa: JIT101 {text}\n").comments
    return [comment.prefixes for comment in found] == [("JIT101",)]


def rewrite(
    path: Path, seen: str, codes_by_row: Mapping[int, Iterable[str]], reason: str = ""
) -> None:
    """Add comments to a file, keeping its encoding, byte order mark and line ends.

    Args:
      path: the file.
      seen: its text when it was linted.
      codes_by_row: for the rows of reports, the codes to silence there.
      reason: what to write behind the codes; see :func:`is_reason`.

    Raises:
      ValueError: the file changed meanwhile, or cannot be changed safely; it was left alone.
      OSError: the file cannot be read or written.
    """
    data = path.read_bytes()
    document = decode(data, path)
    if isinstance(document, DecodeFailure):
        raise ValueError(document.message)
    if document.text != seen:
        raise ValueError("it changed during the run")
    if _encode(document, document.text) != data:
        raise ValueError(f"its bytes are not how {document.encoding} would write its text")
    changed = add_comments(document.text, codes_by_row, reason)
    if changed != document.text:
        path.write_bytes(_encode(document, changed))


def _encode(document: Document, text: str) -> bytes:
    mark = b"\xef\xbb\xbf" if document.has_bom else b""
    return mark + text.encode(document.encoding)


def add_comments(text: str, codes_by_row: Mapping[int, Iterable[str]], reason: str = "") -> str:
    """Add comments to a text.

    A comment goes to the row of its report, or, where that row ends in a triple-quoted string or a
    backslash, to the first row behind that can hold a comment; that is also where flake8 and Ruff
    look for it.  A ``# noqa`` with codes that stands there is extended, and keeps its own reason.

    Args:
      text: Python source.
      codes_by_row: for the rows of reports, the codes to silence there.
      reason: what to write behind the codes.

    Returns:
      The text with the comments.

    Raises:
      ValueError: the text is no Python, or a comment would change its meaning.
    """
    comments = suppression.read_strictly(text)
    spans = {row: span for span in _joined_rows(text) for row in span}
    wanted: dict[range, set[str]] = {}
    for row, codes in codes_by_row.items():
        missing = [code for code in codes if not comments.silences(code, [row])]
        if missing:
            wanted.setdefault(spans.get(row, range(row, row + 1)), set()).update(missing)
    lines = _LINE.findall(text)
    behind = f" {reason}" if reason else ""
    for span, codes in wanted.items():
        row = span[-1]
        if not 1 <= row <= len(lines):
            raise ValueError(f"there is no row {row}")
        existing = _codes_on(comments, span)
        if existing is None:
            code = lines[row - 1].rstrip("\r\n")
            end = lines[row - 1][len(code) :]
            comment = f"  # noqa: {','.join(sorted(codes))}{behind}"
            lines[row - 1] = code.rstrip(" \t") + comment + end
        else:
            line = lines[existing.row - 1]
            cut = existing.codes_end - 1
            separator = ", " if ", " in existing.text else ","
            added = "".join(f"{separator}{code}" for code in sorted(codes))
            if not existing.reason.strip() and existing.last:
                added += behind
            lines[existing.row - 1] = line[:cut] + added + line[cut:]
    changed = "".join(lines)
    _check(text, changed, codes_by_row)
    return changed


def _codes_on(comments: Suppressions, span: range) -> Suppression | None:
    """The ``# noqa`` with codes on some rows."""
    found = (
        comment
        for comment in comments.comments
        if comment.row in span and comment.kind is Kind.NOQA and comment.prefixes is not None
    )
    return next(found, None)


def _joined_rows(text: str) -> Iterator[range]:
    """The rows that a string or a backslash joins, so that only the last can hold a comment."""
    first = 0
    depth = 0
    for token in _tokens(text):
        if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
            continue
        first = first or token.start[0]
        # From 3.12 on the parts of an f-string are tokens; older Pythons take no comment in it.
        kind = tokenize.tok_name[token.type]
        depth += kind.endswith("STRING_START") - kind.endswith("STRING_END")
        if token.type in (tokenize.NL, tokenize.NEWLINE) and not depth:
            if token.start[0] > first:
                yield range(first, token.start[0] + 1)
            first = 0


def _check(old: str, new: str, codes_by_row: Mapping[int, Iterable[str]]) -> None:
    """See that only comments changed, and that they do what they are for.

    Raises:
      ValueError: it is not so.
    """
    if _code(old) != _code(new):
        raise ValueError("a comment there would change the code")
    comments = suppression.read_strictly(new)
    for row, codes in codes_by_row.items():
        for code in codes:
            if not comments.silences(code, [row]):
                raise ValueError(f"no comment on row {row} silences {code}")


def _code(text: str) -> list[tuple[int, str]]:
    """The tokens of a text without its comments and line ends."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
    return [(token.type, token.string) for token in _tokens(text) if token.type not in skipped]


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a text.

    Raises:
      ValueError: it is no Python.
    """
    try:
        yield from tokenize.generate_tokens(io.StringIO(with_newlines(text)).readline)
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError(str(error)) from None
