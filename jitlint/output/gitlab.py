"""GitLab's code quality report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.digests import blake2b
from jitlint.output.json_format import render_objects
from jitlint.output.report import Report
from jitlint.source.file_names import portable_name

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    # GitLab compares two runs by fingerprints alone, so no two may be equal, not even of two files.
    seen: Counter[tuple[str, str]] = Counter()
    objects = []
    for item in report.diagnostics:
        name = portable_name(item.filename, report.top)
        seen[name, item.fingerprint] += 1
        identity = f"{name}\0{item.code}\0{item.fingerprint}\0{seen[name, item.fingerprint]}"
        digest = blake2b(identity.encode(errors="surrogateescape"), digest_size=16)
        objects.append(_object(item, name, digest.hexdigest()))
    yield from render_objects(objects)


def _object(item: Diagnostic, name: str, fingerprint: str) -> Mapping[str, Any]:
    cell = "" if item.cell is None else f"cell {item.cell}: "
    return {
        "description": f"{cell}{item.code} {item.message}",
        "check_name": item.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[item.severity],
        "location": {
            "path": name,
            "lines": {"begin": item.location.row, "end": item.end_location.row},
            "positions": {
                "begin": {"line": item.location.row, "column": item.location.column},
                "end": {"line": item.end_location.row, "column": item.end_location.column},
            },
        },
    }
