"""One JSON object a line, for programs that read while they are written to."""

from __future__ import annotations

import json
from collections.abc import Iterator

from jitlint.output.report import Report
from jitlint.rules.addresses import page_address


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    for item in report.diagnostics:
        yield json.dumps(item.to_json(page_address(item.code)), separators=(",", ":"))
