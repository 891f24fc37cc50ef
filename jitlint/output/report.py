"""What a renderer is given, and the words that formats share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jitlint.diagnostics import Diagnostic, Severity


@dataclass(frozen=True)
class Report:
    """The result of a run, as every format renders it.

    Args:
      diagnostics: what is shown, in order.
      lines_of: the lines that the rows of a report refer to, None where they cannot be had.
      folder: the folder that names of files are shown relative to.
      color: whether to colour; formats for programs never do.
      summary: whether to close with a line that counts.
      failures: how many files could not be checked.
      root: the project root, which formats for programs name files relative to.
    """

    diagnostics: Sequence[Diagnostic]
    lines_of: Callable[[Diagnostic], Sequence[str] | None]
    folder: Path
    color: bool = False
    summary: bool = True
    failures: int = 0
    root: Path | None = None

    @property
    def top(self) -> Path:
        """The folder that formats for programs name files relative to."""
        return self.folder if self.root is None else self.root


def shown_name(filename: str, folder: Path) -> str:
    """A file's name relative to a folder where it lies below it, else as it is."""
    prefix = f"{folder}{os.sep}" if str(folder) != os.sep else os.sep
    return printable(filename.removeprefix(prefix))


def shown_place(filename: str, cell: int | None, location: tuple[int, int], folder: Path) -> str:
    """``file:row:column``, with the cell between file and row where there is one."""
    row, column = location
    inside = "" if cell is None else f":cell {cell}"
    return f"{shown_name(filename, folder)}{inside}:{row}:{column}"


def printable(text: str) -> str:
    """Text safe for a terminal: control characters in source or file names become escapes."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character == "\t"
        else character.encode("unicode_escape", "surrogatepass").decode("ascii")
        for character in text
    )


def summary_line(report: Report) -> str:
    """The closing line: what was found, and where."""
    found = report.diagnostics
    if not found:
        if report.failures:
            return f"No reports, but {counted(report.failures, 'file')} could not be checked."
        return "All checks passed!"
    counts = [
        counted(number, severity.label)
        for severity in sorted(Severity, reverse=True)
        if (number := sum(item.severity is severity for item in found))
    ]
    files = len({item.filename for item in found})
    return f"Found {joined(counts)} in {counted(files, 'file')}."


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``; ``info`` is its own plural."""
    plural = noun if number == 1 or noun == "info" else f"{noun}s"
    return f"{number} {plural}"


def joined(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
