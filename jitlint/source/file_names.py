"""Names of files: for people, and for other programs (relative to the project, with ``/``)."""

from __future__ import annotations

import os
from pathlib import Path

from jitlint.foundation.phrases import printable


def shown_name(filename: str, folder: Path) -> str:
    """A file's name relative to a folder where it lies below it, else as it is."""
    prefix = f"{folder}{os.sep}" if str(folder) != os.sep else os.sep
    return printable(filename.removeprefix(prefix))


def shown_place(filename: str, cell: int | None, location: tuple[int, int], folder: Path) -> str:
    """``file:row:column``, with the cell between file and row where there is one."""
    row, column = location
    inside = "" if cell is None else f":cell {cell}"
    return f"{shown_name(filename, folder)}{inside}:{row}:{column}"


def relative_name(filename: str, root: Path) -> str | None:
    """A file's name relative to the project root; None where it lies elsewhere.

    Args:
      filename: absolute.
      root: the project root.
    """
    prefix = f"{root}{os.sep}" if str(root) != os.sep else os.sep
    if not filename.startswith(prefix):
        return None
    return filename.removeprefix(prefix).replace(os.sep, "/")


def portable_name(filename: str, root: Path) -> str:
    """As :func:`relative_name`, but the absolute name where the file lies elsewhere."""
    return relative_name(filename, root) or filename.replace(os.sep, "/")


def uri_path(name: str) -> str:
    """A name as the path of a URI; bytes that are no UTF-8 are kept as they are."""
    from urllib.parse import quote

    return quote(os.fsencode(name), safe="/~")


def file_uri(filename: str) -> str:
    """The ``file:`` URI of an absolute name."""
    path = uri_path(filename.replace(os.sep, "/"))
    return f"file://{path}" if path.startswith("/") else f"file:///{path}"
