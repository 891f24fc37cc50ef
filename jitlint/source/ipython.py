"""Cells as IPython takes them, as Python: magics, shell commands and help become harmless rows.

Rows stay rows.  Where a row loses what stood before its Python (``%timeit f(x)``), its shift says
how many code points that were.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

#: a row of Python, and how many code points further right it stands in the cell
Row = tuple[str, int]

# Magics whose argument is Python; the options before it are one letter, some with a value.
_RUNS_LINE = re.compile(
    r"(?P<indent>\s*)(?P<name>%(?:timeit|time|prun|memit|lprun|mprun|snakeviz|pyinstrument)\b)"
    r"(?P<options>(?:\s+-(?:[nrtsTDlfm]\s*(?!-)\S+|\w+))*)\s*"
)
# Magics of a whole cell whose body is Python of the same namespace.
_RUNS_CELL = frozenset(
    "time timeit capture prun memit lprun mprun snakeviz pyinstrument ipytest debug skip".split()
)
_TIMEIT = re.compile(r"\s*%%timeit(?:\s+-(?:[nrt]\s*\d+|\w+))*\s*")
_CELL = re.compile(r"\s*%%(?P<name>[\w.]+)(?P<rest>.*)")
_COMMAND = re.compile(r"\s*(?:[!%?]|/[A-Za-z_]|[,;]\s*[A-Za-z_])")
_ASSIGNED = re.compile(r"(?P<before>\s*[^\s=!%#'\"][^=!%#'\"]*=\s*)(?:!|%)\s*\w")
_HELP = re.compile(r"\s*%{0,2}[\w.*]+\?{1,2}\s*;?\s*(?:#.*)?$")
_OPENING = "([{"
_CLOSING = ")]}"


def parses(text: str) -> bool:
    """Whether a text is Python."""
    return syntax_error(text) is None


def syntax_error(text: str) -> tuple[str, int, int] | None:
    """Why a text is no Python, with row and column from 1; None where it is."""
    try:
        with warnings.catch_warnings():
            # Invalid escapes in the linted code are not our user's business here.
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error.msg or "invalid syntax", error.lineno or 1, max(error.offset or 1, 1)
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "too deeply nested for Python's parser", 1, 1
    return None


def to_python(lines: Sequence[str]) -> list[Row] | None:
    """Turn a cell into Python.

    Args:
      lines: the rows of the cell, without line ends.

    Returns:
      As many rows, not necessarily valid Python; None where the cell is in another language, or
      runs elsewhere.
    """
    if parses("\n".join(lines)):
        return [(line, 0) for line in lines]
    rows: list[Row] = []
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    start = 0
    while first < len(lines) and (cell := _CELL.match(lines[first])):
        if cell["name"] not in _RUNS_CELL:
            return None
        rows += [("", 0)] * (first - start)
        rows.append(_setup(lines[first]) if cell["name"] == "timeit" else ("", 0))
        start = first = first + 1
    scanner = _Scanner()
    number = start
    while number < len(lines):
        line = lines[number]
        number += 1
        if scanner.inside:
            rows.append((line, 0))
            scanner.feed(line)
            continue
        row = _command(line)
        if row is None:
            rows.append((line, 0))
            scanner.feed(line)
            continue
        rows.append(row)
        if row[0].strip() == "pass" or row[0].rstrip().endswith("None"):
            # What a command runs on into belongs to it.
            while line.endswith("\\") and number < len(lines):
                line = lines[number]
                rows.append(("", 0))
                number += 1
        else:
            scanner.feed(row[0])
    return rows


def _setup(line: str) -> Row:
    """The statement on the first row of a ``%%timeit`` cell, if there is one."""
    match = _TIMEIT.match(line)
    code = "" if match is None else line[match.end() :]
    return ("", 0) if match is None or not parses(code) else (code, match.end())


def _command(line: str) -> Row | None:
    """The Python that stands for a row that is none, None where the row may be Python."""
    runs = None if _HELP.match(line) else _RUNS_LINE.match(line)
    if runs is not None:
        indent, code = runs["indent"], line[runs.end() :]
        if code.strip():
            return indent + code, runs.end() - len(indent)
        return f"{indent}pass", 0
    if _COMMAND.match(line) or _HELP.match(line):
        indent = line[: len(line) - len(line.lstrip())]
        return f"{indent}pass", 0
    assigned = _ASSIGNED.match(line)
    if assigned is not None and not parses(line.strip()):
        # What a command gives is not known, and None would be.
        return f"{assigned['before']}get_ipython().run(None)", 0
    return None


class _Scanner:
    r"""Tells whether the next row goes on with a statement: in brackets, strings, behind ``\``."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def inside(self) -> bool:
        """Whether the next row is not the start of a statement."""
        return self._depth > 0 or bool(self._quote) or self._continued

    def feed(self, line: str) -> None:
        """Read a row."""
        position = 0
        self._continued = False
        while position < len(line):
            character = line[position]
            if self._quote:
                if character == "\\":
                    position += 2
                    continue
                if line.startswith(self._quote, position):
                    position += len(self._quote)
                    self._quote = ""
                    continue
            elif character == "#":
                return
            elif character in "'\"":
                triple = character * 3
                self._quote = triple if line.startswith(triple, position) else character
                position += len(self._quote)
                continue
            elif character in _OPENING:
                self._depth += 1
            elif character in _CLOSING:
                self._depth = max(0, self._depth - 1)
            elif character == "\\" and position == len(line) - 1:
                self._continued = True
            position += 1
        if len(self._quote) == 1 and not line.endswith("\\"):
            # A string of one line that is not closed: the row is broken, the next is another.
            self._quote = ""
