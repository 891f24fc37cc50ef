"""What a renderer is given, and the line that sums it up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from jitlint.diagnostics import Applicability, Diagnostic, Severity
from jitlint.foundation.phrases import counted, joined
from jitlint.foundation.records import Record


class Judgement(Record):
    """What running the code has said of a report.

    Args:
      standing: the harm was seen; it did not come; or neither is known.
      text: a sentence for each backend, joined by newlines.
      data: the same for programs, as JSON knows it.
    """

    standing: Literal["fails", "passes", "open"]
    text: str
    data: Any


class Report(Record):
    """The result of a run, as every format renders it.

    Args:
      diagnostics: what is shown, in order.
      lines_of: the lines that the rows of a report refer to, None where they cannot be had.
      folder: the folder that names of files are shown relative to.
      color: whether to colour; formats for programs never do.
      summary: whether to close with a line that counts.
      failures: how many files could not be checked.
      root: the project root, which formats for programs name files relative to.
      fixed: how many reports are gone, None where nothing was to be fixed.
      unsafe_fixes: whether unsafe fixes count like safe ones.
      judgements: one for each report where the code was run, else none at all.
    """

    diagnostics: Sequence[Diagnostic]
    lines_of: Callable[[Diagnostic], Sequence[str] | None]
    folder: Path
    color: bool = False
    summary: bool = True
    failures: int = 0
    root: Path | None = None
    fixed: int | None = None
    unsafe_fixes: bool = False
    judgements: Sequence[Judgement] = ()

    @property
    def judged(self) -> Iterator[tuple[Diagnostic, Judgement | None]]:
        """Each report with what running has said of it."""
        if not self.judgements:
            return ((item, None) for item in self.diagnostics)
        return zip(self.diagnostics, self.judgements, strict=True)

    def is_fixable(self, item: Diagnostic) -> bool:
        """Whether ``--fix`` would fix a report, with the other options as they are."""
        if item.fix is None:
            return False
        unsafe = self.unsafe_fixes and item.fix.applicability is Applicability.UNSAFE
        return unsafe or item.fix.applicability is Applicability.SAFE

    @property
    def top(self) -> Path:
        """The folder that formats for programs name files relative to."""
        return self.folder if self.root is None else self.root


def summary_lines(report: Report) -> Iterator[str]:
    """The closing lines: what was found, and where, and what of it can be fixed."""
    line = summary_line(report)
    if report.fixed:
        line = f"Fixed {counted(report.fixed, 'report')}. {line}"
    yield line
    fixable = sum(map(report.is_fixable, report.diagnostics))
    unsafe = sum(
        item.fix is not None and item.fix.applicability is Applicability.UNSAFE
        for item in report.diagnostics
    )
    hidden = 0 if report.unsafe_fixes else unsafe
    if fixable:
        more = f" ({hidden} more with `--unsafe-fixes`)" if hidden else ""
        yield f"[*] {fixable} fixable with `--fix`{more}."
    elif hidden:
        fixes = "fix" if hidden == 1 else "fixes"
        yield f"No safe fixes ({hidden} unsafe {fixes} with `--fix --unsafe-fixes`)."


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
