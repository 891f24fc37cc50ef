"""How often each rule reports, and how much was left out, for ``--statistics``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jitlint.diagnostics import OmissionReport, Severity
from jitlint.foundation.phrases import joined
from jitlint.output.colors import Painter
from jitlint.output.report import Report, summary_line


def render(report: Report, omissions: Sequence[OmissionReport] = ()) -> Iterator[str]:
    """Yield one line a rule, the most frequent first, without line ends; then what was left out.

    Args:
      report: the reports.
      omissions: what of the traced code was not analysed.
    """
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
    if omissions:
        counts = Counter(item.reason for item in omissions)
        most = joined(f"{count} {reason}" for reason, count in sorted(counts.items()))
        yield f"Left out of traced code: {most} (--verbose says where)."


def objects(report: Report, omissions: Sequence[OmissionReport] = ()) -> list[Mapping[str, Any]]:
    """The same for the JSON format: an object a rule, with its counts by severity.

    What was left out has objects of its own, a reason each, without a code.
    """
    counts: dict[str, Counter[Severity]] = {}
    names: dict[str, str] = {}
    for item in report.diagnostics:
        counts.setdefault(item.code, Counter())[item.severity] += 1
        names[item.code] = item.name
    ordered = sorted(counts, key=lambda code: (-counts[code].total(), code))
    rules: list[Mapping[str, Any]] = [
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
    reasons = Counter(item.reason for item in omissions)
    return rules + [
        {"code": None, "name": reason, "count": count, "severities": {}}
        for reason, count in sorted(reasons.items())
    ]
