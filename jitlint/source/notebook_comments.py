"""Writing into the code cells of notebooks, ``# noqa`` comments too, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from jitlint.source.document import DecodeFailure
from jitlint.source.noqa_comments import add_comments
from jitlint.source.notebooks import code_cells, decode_notebook

#: how Jupyter, editors and formatters write JSON, the most usual first
_INDENTS = (1, 2, 4, None)
_ENDS = ("\n", "")
_BOM = b"\xef\xbb\xbf"


def rewrite_notebook(
    path: Path, seen: str, codes: Mapping[int, Mapping[int, Iterable[str]]], reason: str = ""
) -> None:
    """Add comments to the code cells of a notebook.

    Args:
      path: its file.
      seen: its Python when it was linted.
      codes: for code cells, counted from 1, the codes to silence in their rows.
      reason: what to write behind the codes.

    Raises:
      ValueError: the file changed meanwhile, or cannot be changed safely; it was left alone.
      OSError: the file cannot be read or written.
    """
    data = path.read_bytes()
    document = decode_notebook(data, path)
    if isinstance(document, DecodeFailure):
        raise ValueError(document.message)
    if document.text != seen:
        raise ValueError("it changed during the run")
    mark = _BOM if data.startswith(_BOM) else b""
    text = data.removeprefix(_BOM).decode("utf-8")
    content = json.loads(text)
    style = style_of(content, text)
    cells = [cell for _, cell in code_cells(content)]
    for number, rows in codes.items():
        _comment(cells[number - 1], rows, number, reason)
    path.write_bytes(mark + written_as(content, *style).encode())


def style_of(content: Any, text: str) -> tuple[int | None, bool, str]:
    """How a notebook is written: indent, whether beyond ASCII is escaped, the end.

    Raises:
      ValueError: in another way, which would be lost.
    """
    for style in product(_INDENTS, (False, True), _ENDS):
        if written_as(content, *style) == text:
            return style
    raise ValueError("its JSON is not written as Jupyter writes it")


def written_as(content: Any, indent: int | None, escaped: bool, end: str) -> str:
    """The text of a notebook in a style, as :func:`style_of` tells it."""
    return json.dumps(content, indent=indent, ensure_ascii=escaped) + end


def source_of(cell: Mapping[str, Any]) -> str:
    """The text of a code cell."""
    source = cell.get("source", cell.get("input")) or ""
    return source if isinstance(source, str) else "".join(source)


def with_source(cell: dict[str, Any], text: str) -> None:
    """Give a code cell another text, in the form that it has: one string, or its rows."""
    key = "source" if "source" in cell else "input"
    cell[key] = text if isinstance(cell[key], str) else text.splitlines(keepends=True)


def _comment(
    cell: dict[str, Any], rows: Mapping[int, Iterable[str]], number: int, reason: str
) -> None:
    try:
        with_source(cell, add_comments(source_of(cell), rows, reason))
    except ValueError as error:
        raise ValueError(f"cell {number}: {error}") from None
