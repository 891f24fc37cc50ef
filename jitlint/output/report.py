"""What a renderer is given, and the line that sums it up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.phrases import counted, joined
from jitlint.foundation.records import record


@record()
class Report:
    """The result of a run, as every format renders it.

    Args:
      diagnostics: what is shown, in order.
      lines_of: the lines that the rows of a report refer to, None where they cannot be had.
      folder: the folder that names of files are shown relative to.
      color: whether to colour; formats for programs never do.
      summary: whether to close with a line that counts.
      failures: how many files could not be checked.
      root: the project root, which formats for programs name files relative to.
    """

    diagnostics: Sequence[Diagnostic]
    lines_of: Callable[[Diagnostic], Sequence[str] | None]
    folder: Path
    color: bool = False
    summary: bool = True
    failures: int = 0
    root: Path | None = None

    @property
    def top(self) -> Path:
        """The folder that formats for programs name files relative to."""
        return self.folder if self.root is None else self.root


def summary_line(report: Report) -> str:
    """The closing line: what was found, and where."""
    found = report.diagnostics
    if not found:
        if report.failures:
            return f"No reports, but {counted(report.failures, 'file')} could not be checked."
        return "All checks passed!"
    counts = [
        counted(number, severity.label)
        for severity in sorted(Severity, reverse=True)
        if (number := sum(item.severity is severity for item in found))
    ]
    files = len({item.filename for item in found})
    return f"Found {joined(counts)} in {counted(files, 'file')}."
