"""Annotations for GitHub Actions: commands that its log turns into remarks on the lines."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.phrases import printable
from jitlint.output.report import Judgement, Report
from jitlint.source.file_names import portable_name

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
#: besides those, in a property
_PROPERTY_ESCAPES = {":": "%3A", ",": "%2C"}


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    for item, judgement in report.judged:
        yield _command(item, judgement, portable_name(item.filename, report.top))


def _command(item: Diagnostic, judgement: Judgement | None, name: str) -> str:
    properties = {"title": f"jitlint {item.code} ({item.name})", "file": printable(name)}
    message = item.message
    if item.cell is None:
        properties["line"] = str(item.location.row)
        properties["endLine"] = str(item.end_location.row)
        if item.end_location.row == item.location.row:
            # Columns are understood only within one line; GitHub counts the last one in.
            last = max(item.location.column, item.end_location.column - 1)
            properties["col"] = str(item.location.column)
            properties["endColumn"] = str(last)
    else:
        # A row of a cell is no row of the file that GitHub shows.
        place = f"cell {item.cell}, row {item.location.row}, column {item.location.column}"
        message = f"{place}: {message}"
    words = ",".join(
        f"{key}={_escaped(value, _ESCAPES | _PROPERTY_ESCAPES)}"
        for key, value in properties.items()
    )
    if judgement is not None:
        message = f"{message}\n{judgement.text}"
    if item.help:
        message = f"{message}\n{item.help}"
    message = "\n".join(printable(line) for line in message.splitlines())
    # What did not come when the code was run is no more than a remark.
    refuted = judgement is not None and judgement.standing == "passes"
    command = _COMMANDS[Severity.INFO if refuted else item.severity]
    return f"::{command} {words}::{_escaped(message, _ESCAPES)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
