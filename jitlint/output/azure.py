"""Issues for Azure Pipelines: commands that its log turns into remarks on the lines."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.phrases import printable
from jitlint.output.report import Report
from jitlint.source.file_names import portable_name

_ESCAPES = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
#: besides those, in a property
_PROPERTY_ESCAPES = str.maketrans({";": "%3B", "]": "%5D"})


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    for item in report.diagnostics:
        yield _command(item, portable_name(item.filename, report.top))


def _command(item: Diagnostic, name: str) -> str:
    # There are no kinds but these two.
    properties = {"type": "error" if item.severity is Severity.ERROR else "warning"}
    properties["sourcepath"] = printable(name)
    message = f"{item.code} {item.message}"
    if item.cell is None:
        properties["linenumber"] = str(item.location.row)
        properties["columnnumber"] = str(item.location.column)
    else:
        # A row of a cell is no row of the file.
        message = f"cell {item.cell}, row {item.location.row}: {message}"
    properties["code"] = item.code
    words = "".join(
        f"{key}={value.translate(_ESCAPES).translate(_PROPERTY_ESCAPES)};"
        for key, value in properties.items()
    )
    return f"##vso[task.logissue {words}]{printable(message).translate(_ESCAPES)}"
