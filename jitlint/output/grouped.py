"""The reports of each file under its name, as ``row:col CODE message``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from jitlint.diagnostics import Diagnostic
from jitlint.foundation.phrases import printable
from jitlint.output.colors import Painter
from jitlint.output.report import Report, summary_lines
from jitlint.source.file_names import shown_name


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    paint = Painter(report.color)
    for filename, items in groupby(report.diagnostics, lambda item: item.filename):
        yield f"{paint.name(shown_name(filename, report.folder))}:"
        yield from _lines(list(items), report, paint)
        yield ""
    if report.summary:
        yield from summary_lines(report)


def _lines(items: Sequence[Diagnostic], report: Report, paint: Painter) -> Iterator[str]:
    """The reports of one file, their codes under one another."""
    places = [_place(item) for item in items]
    width = max(map(len, places))
    for item, place in zip(items, places, strict=True):
        mark = " [*]" if report.is_fixable(item) else ""
        code = paint.severity(item.code, item.severity)
        yield f"  {place:<{width}}  {code}{mark} {printable(item.message)}"


def _place(item: Diagnostic) -> str:
    cell = "" if item.cell is None else f"cell {item.cell}:"
    return f"{cell}{item.location.row}:{item.location.column}"
