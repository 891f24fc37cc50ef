"""Jupyter notebooks: the code cells, one after the other, as one Python text.

Cells share one namespace and are taken to run in order.  A cell that is no Python even without its
magics is left out, and reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jitlint.source import ipython
from jitlint.source.document import DecodeFailure, Document, Origin, split_lines

#: JSON can write them, a Python file cannot
_NEVER_IN_PYTHON = re.compile("[\0\ud800-\udfff]")
_PYTHON = ("python", "ipython")
#: kernels of other languages, which name no language in notebooks that were never run
_KERNEL = re.compile(
    r"(?:julia|irkernel|octave|bash|calysto|scala|almond|rust|evcxr|deno|javascript|\.net|xcpp|"
    r"gophernotes|ihaskell|stata|sas|xsql)|ir$"
)


def decode_notebook(data: bytes, path: Path, *, typing: bool = False) -> Document | DecodeFailure:
    """Read a notebook of any version from 3 on.

    Args:
      data: the whole file.
      path: its name, for the result.
      typing: someone is at it, so that what is left of a broken cell is of interest too.

    Returns:
      The document, without text where its language is not Python; or why the bytes are no notebook.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return DecodeFailure(path, f"not a notebook: cannot decode as UTF-8: {error.reason}")
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        return DecodeFailure(path, f"not a notebook: {error.msg}", error.lineno, error.colno)
    except (ValueError, RecursionError) as error:
        return DecodeFailure(path, f"not a notebook: {error}")
    try:
        sources = [] if _other_language(content) else _sources(content)
    except _MalformedError as error:
        return DecodeFailure(path, f"not a notebook: {error}")
    return _joined(sources, path, typing)


class _MalformedError(ValueError):
    """The JSON is not that of a notebook."""


def _other_language(content: Any) -> bool:
    metadata = _mapping(_mapping(content).get("metadata"))
    for table, key in (("language_info", "name"), ("kernelspec", "language")):
        language = _mapping(metadata.get(table)).get(key)
        if isinstance(language, str) and language:
            return not language.lower().startswith(_PYTHON)
    kernel = _mapping(metadata.get("kernelspec")).get("name")
    return isinstance(kernel, str) and _KERNEL.match(kernel.lower()) is not None


def code_cells(content: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """The code cells of a notebook, each with its number among all cells.

    Args:
      content: the notebook, from JSON.

    Raises:
      ValueError: it is no notebook.
    """
    if not isinstance(content, dict):
        raise _MalformedError("expected a JSON object")
    if "cells" in content:
        cells = _list(content["cells"], "cells")
    elif "worksheets" in content:
        # Version 3.
        sheets = _list(content["worksheets"], "worksheets")
        cells = [cell for sheet in sheets for cell in _list(_mapping(sheet).get("cells"), "cells")]
    else:
        raise _MalformedError("it has no cells")
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            raise _MalformedError(f"cell {number}: expected a JSON object")
        if cell.get("cell_type") == "code":
            yield number, cell


def _sources(content: Any) -> list[str]:
    """The text of each code cell."""
    found = []
    for number, cell in code_cells(content):
        source = cell.get("source", cell.get("input"))
        if isinstance(source, list):
            if not all(isinstance(line, str) for line in source):
                raise _MalformedError(f"cell {number}: expected strings as source")
            source = "".join(source)
        if source is not None and not isinstance(source, str):
            raise _MalformedError(f"cell {number}: expected a string as source")
        # That of version 3, and that of an editor in which single cells can have another.
        metadata = _mapping(cell.get("metadata"))
        languages = (cell.get("language"), _mapping(metadata.get("vscode")).get("languageId"))
        foreign = any(
            isinstance(name, str) and not name.lower().startswith(_PYTHON) for name in languages
        )
        found.append("" if foreign else source or "")
    return found


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any, name: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _MalformedError(f"{name}: expected a list")
    return value


def _recovered(python: list[ipython.Row]) -> list[str] | None:
    """What can be read of a cell that is broken."""
    from jitlint.source.recovery import recover

    found = recover("\n".join(text for text, _ in python), whole=False)
    return None if found is None else list(split_lines(found.text))


def _joined(sources: list[str], path: Path, typing: bool) -> Document:
    rows: list[str] = []
    origins: list[Origin] = []
    broken: list[DecodeFailure] = []
    cells: list[tuple[str, ...]] = []
    for cell, source in enumerate(sources, start=1):
        lines = split_lines(_NEVER_IN_PYTHON.sub("\ufffd", source))
        cells.append(split_lines(source))
        python = ipython.to_python(lines)
        if python is None:
            python = [("", 0)] * len(lines)
        code = "\n".join(text for text, _ in python)
        error = ipython.syntax_error(code)
        if error is not None and not ipython.is_newer(code):
            message, row, column = error
            row = min(row, len(lines))
            broken.append(DecodeFailure(path, message, len(rows) + row, column))
            better = _recovered(python) if typing else None
            if better is not None:
                rows += better
                origins += [
                    Origin(cell, number, shift) for number, (_, shift) in enumerate(python, 1)
                ]
                continue
            # What is left says whether the notebook is about JAX at all.
            origins += [Origin(cell, number, -2) for number in range(1, len(lines) + 1)]
            rows += [f"# {line}" for line in lines]
            origins[len(rows) - len(lines) + row - 1] = Origin(cell, row, python[row - 1][1])
            continue
        for number, (text, shift) in enumerate(python, start=1):
            rows.append(text)
            origins.append(Origin(cell, number, shift))
    return Document(
        path,
        "\n".join(rows) + "\n" if rows else "",
        origins=tuple(origins),
        broken=tuple(broken),
        cells=tuple(cells),
    )
