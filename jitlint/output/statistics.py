"""How often each rule reports, for ``--statistics``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from jitlint.diagnostics import Severity
from jitlint.output.colors import Painter
from jitlint.output.report import Report, summary_line


def render(report: Report) -> Iterator[str]:
    """Yield one line a rule, the most frequent first, without line ends."""
    paint = Painter(report.color)
    rows = objects(report)
    digits = max((len(str(row["count"])) for row in rows), default=0)
    worst: dict[str, Severity] = {}
    for item in report.diagnostics:
        worst[item.code] = max(item.severity, worst.get(item.code, item.severity))
    for row in rows:
        code = paint.severity(row["code"], worst[row["code"]])
        yield f"{row['count']:>{digits}}  {code}  {row['name']}"
    if report.summary:
        yield summary_line(report)


def objects(report: Report) -> list[Mapping[str, Any]]:
    """The same for the JSON format: an object a rule, with its counts by severity."""
    counts: dict[str, Counter[Severity]] = {}
    names: dict[str, str] = {}
    for item in report.diagnostics:
        counts.setdefault(item.code, Counter())[item.severity] += 1
        names[item.code] = item.name
    ordered = sorted(counts, key=lambda code: (-counts[code].total(), code))
    return [
        {
            "code": code,
            "name": names[code],
            "count": counts[code].total(),
            "severities": {
                severity.label: counts[code][severity]
                for severity in sorted(Severity, reverse=True)
            },
        }
        for code in ordered
    ]
