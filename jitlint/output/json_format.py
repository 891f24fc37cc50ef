"""A JSON list with one object a report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jitlint.output.report import Report
from jitlint.rules.addresses import page_address


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    yield from render_objects(item.to_json(page_address(item.code)) for item in report.diagnostics)


def render_objects(objects: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a JSON list, indented, line by line.

    Names of files that are not valid text are escaped like any other character beyond ASCII.
    """
    yield from json.dumps(list(objects), indent=2).splitlines()
