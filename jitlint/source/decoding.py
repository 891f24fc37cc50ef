"""Reading files: bytes in, text with exact positions out.

Python is decoded as the language has it: a byte order mark, else a coding cookie in the first two
lines, else UTF-8.  Text is kept as written, newlines included, so that a position in it is a
position in the file.  A file that is no Python text at all gives a :class:`DecodeFailure`, which is
reported as JIT901.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from jitlint.source.document import (
    DOCUMENT_SUFFIXES,
    NOTEBOOK_SUFFIXES,
    DecodeFailure,
    Document,
    split_lines,
)

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")


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
        return _decode_python(data, path)
    if suffix in NOTEBOOK_SUFFIXES:
        from jitlint.source.notebooks import decode_notebook

        return decode_notebook(data, path)
    from jitlint.source import markup

    text = data.decode("utf-8-sig", "replace").replace("\0", "\ufffd")
    return markup.restructured_text(text, path) if suffix == ".rst" else markup.markdown(text, path)


def _decode_python(data: bytes, path: Path) -> Document | DecodeFailure:
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
