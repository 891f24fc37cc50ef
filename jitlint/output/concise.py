"""One line a report: ``path:row:col: CODE message``."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.foundation.phrases import printable
from jitlint.output.colors import Painter
from jitlint.output.report import Report, summary_lines
from jitlint.source.file_names import shown_name


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    paint = Painter(report.color)
    for item in report.diagnostics:
        name = shown_name(item.filename, report.folder)
        cell = f":cell {item.cell}" if item.cell is not None else ""
        place = f"{paint.name(name)}{cell}:{item.location.row}:{item.location.column}:"
        mark = " [*]" if report.is_fixable(item) else ""
        code = paint.severity(item.code, item.severity)
        yield f"{place} {code}{mark} {printable(item.message)}"
    if report.summary:
        yield from summary_lines(report)
