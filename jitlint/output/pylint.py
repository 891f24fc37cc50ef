"""One line a report, as Pylint's parseable format has it."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.foundation.phrases import printable
from jitlint.output.report import Report
from jitlint.source.file_names import portable_name


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    for item in report.diagnostics:
        name = printable(portable_name(item.filename, report.top))
        cell = "" if item.cell is None else f"cell {item.cell}: "
        what = f"[{item.code}({item.name}), {printable(item.function or '')}]"
        yield f"{name}:{item.location.row}: {what} {cell}{printable(item.message)}"
