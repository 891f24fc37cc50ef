"""Files with new text: as whole as the old ones at every moment, and like them in all else."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from jitlint.source.decoding import decode
from jitlint.source.document import DecodeFailure, Document


def encoded(document: Document, text: str) -> bytes:
    """A text in the encoding of a document, with its byte order mark.

    Raises:
      ValueError: the encoding has no such characters.
    """
    mark = b"\xef\xbb\xbf" if document.has_bom else b""
    return mark + text.encode(document.encoding)


def replace_file(path: Path, seen: str, text: str) -> None:
    """Give a file new text; one that something ends meanwhile is the old or the new one.

    Encoding, byte order mark, mode and, where the user may set them, owner stay; a symbolic link
    stays one, and what it leads to is replaced.

    Args:
      path: the file.
      seen: its text when it was linted.
      text: the new one.

    Raises:
      ValueError: the file changed meanwhile, or cannot hold the text; it was left alone.
      OSError: it cannot be read or written.
    """
    target = path.resolve()
    data = target.read_bytes()
    document = decode(data, path)
    if isinstance(document, DecodeFailure):
        raise ValueError(document.message)
    if document.text != seen:
        raise ValueError(_CHANGED)
    if encoded(document, seen) != data:
        raise ValueError(f"its bytes are not how {document.encoding} would write its text")
    _replace(target, encoded(document, text))


def replace_bytes(path: Path, seen: bytes, new: bytes) -> None:
    """Give a file other bytes, as :func:`replace_file` gives it a text.

    Args:
      path: the file.
      seen: its bytes when it was linted.
      new: the new ones.

    Raises:
      ValueError: the file changed meanwhile; it was left alone.
      OSError: it cannot be read or written.
    """
    target = path.resolve()
    if target.read_bytes() != seen:
        raise ValueError(_CHANGED)
    _replace(target, new)


_CHANGED: Final = "it changed during the run"


def _replace(target: Path, new: bytes) -> None:
    if not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied")
    status = target.stat()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        temporary = Path(name)
        temporary.chmod(status.st_mode & 0o7777)
        with suppress(OSError):
            os.chown(name, status.st_uid, status.st_gid)
        temporary.replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
