"""Reading Python source: bytes in, text with exact positions out.

Decoding follows the language: a byte order mark, else a coding cookie in the first two lines, else
UTF-8.  Text is kept as written, newlines included, so that a position in it is a position in the
file.  A file that is no Python text at all gives a :class:`DecodeFailure`, which the engine reports
as JIT901.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_NOTEBOOKS = (".ipynb",)
#: of files that hold Python among other things
DOCUMENT_SUFFIXES = (*_NOTEBOOKS, ".md", ".markdown", ".rst")

# The only three line ends of Python source.  str.splitlines would also split at form feeds and
# Unicode separators, which stay inside a line for the tokenizer.
_NEWLINE = re.compile(r"\r\n|\r|\n")
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Origin:
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

    def written(self, cell: int | None) -> tuple[str, ...]:
        """The rows that :meth:`origin` refers to."""
        if self.origins is None:
            return self.lines
        number = 1 if cell is None else cell
        return self.cells[number - 1] if number <= len(self.cells) else ()


@dataclass(frozen=True, slots=True)
class DecodeFailure:
    """Why a file is not Python text, and where; rows and columns count from 1.

    ``newer`` says that another parser than that of this Python accepts it (JIT903, not JIT901).
    """

    path: Path
    message: str
    row: int = 1
    column: int = 1
    newer: bool = False


def is_document(path: Path) -> bool:
    """Whether a file of this name holds Python among other things."""
    return path.suffix.lower() in DOCUMENT_SUFFIXES


def is_prose(path: Path) -> bool:
    """Whether a file of this name is Markdown or the like."""
    return is_document(path) and path.suffix.lower() not in _NOTEBOOKS


def split_lines(text: str) -> tuple[str, ...]:
    """Split at the line ends Python knows and at no other character."""
    if "\r" not in text:
        return tuple(text.split("\n"))
    return tuple(_NEWLINE.split(text))


def read_document(path: Path) -> Document | DecodeFailure:
    """Read and decode a file.

    Args:
      path: the file.

    Returns:
      The document, or why its bytes are not Python text.

    Raises:
      OSError: the file cannot be opened or read.
    """
    return decode(path.read_bytes(), path)


def decode(data: bytes, path: Path) -> Document | DecodeFailure:
    """Decode the bytes of a file: by its name a notebook, Markdown, reStructuredText, else Python.

    Args:
      data: the whole file.
      path: its name, for the result.

    Returns:
      The document, or why the bytes are not what the name says.
    """
    suffix = path.suffix.lower()
    if suffix not in DOCUMENT_SUFFIXES:
        return decode_python(data, path)
    if suffix in _NOTEBOOKS:
        from jitlint.source.notebooks import decode_notebook

        return decode_notebook(data, path)
    from jitlint.source import markup

    text = data.decode("utf-8-sig", "replace").replace("\0", "\ufffd")
    return markup.restructured_text(text, path) if suffix == ".rst" else markup.markdown(text, path)


def decode_python(data: bytes, path: Path) -> Document | DecodeFailure:
    """Decode the bytes of a Python file.

    Args:
      data: the whole file.
      path: its name, for the result.

    Returns:
      The document, or why the bytes are not Python text.
    """
    has_bom = data.startswith(codecs.BOM_UTF8)
    if has_bom:
        data = data[len(codecs.BOM_UTF8) :]
    null = data.find(b"\0")
    if null >= 0:
        return _failure(path, "source code cannot contain null bytes", data, null)
    cookie = _coding_cookie(data)
    encoding = "utf-8"
    if cookie is not None:
        name, row = cookie
        try:
            encoding = codecs.lookup(name).name
        except LookupError:
            return DecodeFailure(path, f"unknown encoding: {name}", row)
        if has_bom and encoding != "utf-8":
            return DecodeFailure(path, f"encoding {name} contradicts the byte order mark", row)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        what = f"cannot decode byte 0x{data[error.start]:02x} as {encoding}: {error.reason}"
        return _failure(path, what, data, error.start)
    except (LookupError, ValueError) as error:
        # Codecs that are no text encodings (base64, zlib) or refuse in ways of their own.
        return DecodeFailure(path, f"cannot decode as {encoding}: {error}")
    if "\0" in text:
        return DecodeFailure(path, "source code cannot contain null bytes")
    return Document(path, text, encoding, has_bom)


def _coding_cookie(data: bytes) -> tuple[str, int] | None:
    """The encoding named by PEP 263 in the first two lines, with its row."""
    head = data[:1024]
    if b"coding" not in head:
        return None
    for row, line in enumerate(re.split(rb"\r\n|\r|\n", head, maxsplit=2)[:2], start=1):
        match = _COOKIE.match(line)
        if match:
            return match.group(1).decode("ascii", "replace"), row
        if not _BLANK.match(line):
            return None
    return None


def _failure(path: Path, message: str, data: bytes, offset: int) -> DecodeFailure:
    """A failure at a byte offset; the column counts what did decode before it on the line."""
    before = split_lines(data[:offset].decode("utf-8", "replace"))
    return DecodeFailure(path, message, len(before), len(before[-1]) + 1)
