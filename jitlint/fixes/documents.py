"""Notebooks, Markdown and the like: edits of their Python as edits of the file.

Every byte outside of the edits stays; what cannot be done so is refused.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jitlint.diagnostics import Edit, Location
from jitlint.fixes.application import Fixed
from jitlint.run.edit_places import placed
from jitlint.source.decoding import decode
from jitlint.source.document import LINE_END, Document, is_prose
from jitlint.source.notebook_comments import source_of, style_of, with_source, written_as
from jitlint.source.notebooks import code_cells

_BOM = b"\xef\xbb\xbf"
#: a piece of a text, by row and column, and what takes its place
_Piece = tuple[Location, Location, str]


class DocumentFiles:
    """The bytes of notebooks and the like while they are fixed.

    Args:
      stdin: what stands for a file; None if files are read.

    Attributes:
      changed: by file, its bytes before and after.
    """

    def __init__(self, stdin: bytes | None) -> None:
        self._stdin = stdin
        self.changed: dict[Path, tuple[bytes, bytes]] = {}

    def data(self, path: Path) -> bytes:
        """What a file holds by now."""
        if path in self.changed:
            return self.changed[path][1]
        return path.read_bytes() if self._stdin is None else self._stdin

    def after(self, document: Document, fixed: Fixed) -> bytes:
        """What a file would hold with some fixes."""
        return bytes_after(document, self.data(document.path), fixed.edits)

    def refusal(self, document: Document, fixed: Fixed) -> str | None:
        """Why a document cannot be fixed so; None if it can be."""
        try:
            made = rewritten(document, self.data(document.path), fixed.edits)
        except ValueError as error:
            return str(error)
        except OSError as error:
            return f"the file cannot be read: {error.strerror}"
        return None if made.text == fixed.text else "it reaches beyond the code"

    def accept(self, document: Document, fixed: Fixed) -> None:
        """Keep what some fixes make of a file."""
        path, data = document.path, self.data(document.path)
        before = self.changed[path][0] if path in self.changed else data
        self.changed[path] = before, bytes_after(document, data, fixed.edits)


def rewritten(document: Document, data: bytes, edits: Iterable[Edit]) -> Document:
    """The document as it is after some edits of its Python.

    Args:
      document: what is edited.
      data: its bytes.
      edits: of its Python, none of which touches another.

    Returns:
      The new one; its bytes are those that :func:`bytes_after` gives.

    Raises:
      ValueError: an edit is not within one piece of code, or the file cannot be written so.
    """
    found = decode(bytes_after(document, data, edits), document.path)
    if not isinstance(found, Document):
        raise ValueError(found.message)
    return found


def bytes_after(document: Document, data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes of a document after some edits of its Python, as in :func:`rewritten`."""
    pieces: dict[int | None, list[_Piece]] = {}
    for edit in edits:
        it = placed(document, edit)
        pieces.setdefault(it.cell, []).append((it.location, it.end_location, it.content))
    mark = _BOM if data.startswith(_BOM) else b""
    text = data.removeprefix(_BOM).decode("utf-8")
    if is_prose(document.path):
        return mark + _applied(text, pieces.get(None, [])).encode()
    content = json.loads(text)
    style = style_of(content, text)
    for number, (_, code) in enumerate(code_cells(content), start=1):
        if number in pieces:
            with_source(code, _applied(source_of(code), pieces[number]))
    return mark + written_as(content, *style).encode()


def _applied(text: str, pieces: Sequence[_Piece]) -> str:
    """A text with some of its pieces replaced."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    ending = LINE_END.search(text)
    newline = "\n" if ending is None else ending.group()
    for start, end, content in sorted(pieces, reverse=True):
        begin = starts[start.row - 1] + start.column - 1
        until = starts[end.row - 1] + end.column - 1
        text = f"{text[:begin]}{content.replace(chr(10), newline)}{text[until:]}"
    return text


def difference(name: str, path: Path, before: bytes, after: bytes) -> Iterator[str]:
    """A unified diff of two states of a document, of a notebook cell by cell.

    Args:
      name: what the file is called.
      path: the file.
      before: its bytes.
      after: the new ones.
    """
    if is_prose(path):
        yield from _unified(name, before.decode("utf-8-sig"), after.decode("utf-8-sig"))
        return
    old, new = (list(code_cells(json.loads(data.decode("utf-8-sig")))) for data in (before, after))
    for number, ((_, one), (_, other)) in enumerate(zip(old, new, strict=True), start=1):
        yield from _unified(f"{name}:cell {number}", source_of(one), source_of(other))


def _unified(name: str, before: str, after: str) -> Iterator[str]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for line in difflib.unified_diff(old, new, name, name):
        yield line.rstrip("\r\n")
