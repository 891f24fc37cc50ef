"""The formats of ``check`` by name."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from jitlint.output.report import Report

# A format's module is imported only when it is asked for.
_MODULES = {
    "full": "jitlint.output.full",
    "concise": "jitlint.output.concise",
    "grouped": "jitlint.output.grouped",
    "json": "jitlint.output.json_format",
    "json-lines": "jitlint.output.json_lines",
    "sarif": "jitlint.output.sarif",
    "github": "jitlint.output.github",
    "gitlab": "jitlint.output.gitlab",
    "junit": "jitlint.output.junit",
    "azure": "jitlint.output.azure",
    "pylint": "jitlint.output.pylint",
    "rdjson": "jitlint.output.rdjson",
}

FORMATS: tuple[str, ...] = tuple(_MODULES)


def render(format_name: str, report: Report) -> Iterator[str]:
    """Render a report.

    Args:
      format_name: one of :data:`FORMATS`.
      report: what to render.

    Returns:
      The lines, without their ends.
    """
    module = import_module(_MODULES[format_name])
    return cast("Iterator[str]", module.render(report))
