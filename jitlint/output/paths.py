"""Names of files in formats that other programs read: relative to the project, with ``/``."""

from __future__ import annotations

import os
from pathlib import Path


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
