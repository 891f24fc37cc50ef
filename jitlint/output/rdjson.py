"""The diagnostic format of reviewdog, as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jitlint.diagnostics import Diagnostic, Location, Severity
from jitlint.output.report import Report
from jitlint.rules.addresses import page_address
from jitlint.source.file_names import portable_name

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    found = {
        "source": {"name": "jitlint"},
        "diagnostics": [_object(item, report) for item in report.diagnostics],
    }
    yield from json.dumps(found, indent=2).splitlines()


def _object(item: Diagnostic, report: Report) -> Mapping[str, Any]:
    location: dict[str, Any] = {"path": portable_name(item.filename, report.top)}
    message = item.message
    if item.cell is None:
        lines = report.lines_of(item)
        start, end = item.location, item.end_location
        location["range"] = {"start": _position(start, lines), "end": _position(end, lines)}
    else:
        # A row of a cell is no row of the file that is reviewed.
        message = f"cell {item.cell}, row {item.location.row}: {message}"
    address = page_address(item.code)
    code = {"value": item.code} if address is None else {"value": item.code, "url": address}
    return {
        "message": message,
        "location": location,
        "severity": _SEVERITIES[item.severity],
        "code": code,
    }


def _position(place: Location, lines: Sequence[str] | None) -> Mapping[str, int]:
    """A place with its column counted in bytes of UTF-8, as the format has it."""
    column = place.column
    if lines is not None and place.row <= len(lines):
        before = lines[place.row - 1][: column - 1]
        column += len(before.encode(errors="surrogatepass")) - len(before)
    return {"line": place.row, "column": column}
