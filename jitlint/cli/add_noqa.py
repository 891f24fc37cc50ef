"""``jitlint check --add-noqa``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jitlint.diagnostics import Diagnostic
from jitlint.rules.codes import OWN_FAMILY
from jitlint.run.source_texts import SourceTexts
from jitlint.source.document import NOTEBOOK_SUFFIXES, is_document
from jitlint.source.noqa_comments import rewrite
from jitlint.source.notebook_comments import rewrite_notebook


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of adding comments.

    Args:
      left: the reports that no comment was written for.
      silenced: how many reports now have one.
      files: how many files were written.
      failures: one line for each file that could not be.
    """

    left: Sequence[Diagnostic]
    silenced: int
    files: int
    failures: Sequence[str]


def add_noqa(shown: Sequence[Diagnostic], sources: SourceTexts, reason: str) -> Outcome:
    """Write a ``# noqa`` comment for each report.

    Args:
      shown: the reports, in order.
      sources: the texts that were linted.
      reason: what to write behind the codes, or nothing.

    Returns:
      What was done, and what was not.
    """
    by_file: dict[str, list[Diagnostic]] = {}
    for item in shown:
        if not item.code.startswith(OWN_FAMILY):
            by_file.setdefault(item.filename, []).append(item)
    done: set[str] = set()
    failures = []
    for filename, found in by_file.items():
        try:
            _rewrite(Path(filename), sources.text(filename) or "", found, reason)
        except OSError as error:
            failures.append(f"cannot write {filename}: {error.strerror}")
        except ValueError as error:
            failures.append(f"cannot add comments to {filename}: {error}")
        else:
            done.add(filename)
    left = [item for item in shown if item.filename not in done or item.code.startswith(OWN_FAMILY)]
    return Outcome(left, len(shown) - len(left), len(done), failures)


def _rewrite(path: Path, seen: str, found: Sequence[Diagnostic], reason: str) -> None:
    """Add the comments of one file.

    Raises:
      ValueError: it cannot be changed safely; it was left alone.
      OSError: it cannot be read or written.
    """
    cells: dict[int, dict[int, list[str]]] = {}
    for item in found:
        rows = cells.setdefault(item.cell or 0, {})
        rows.setdefault(item.location.row, []).append(item.code)
    if path.suffix in NOTEBOOK_SUFFIXES:
        rewrite_notebook(path, seen, cells, reason)
    elif is_document(path):
        raise ValueError("it is more than Python, so that the comments are for you to write")
    else:
        rewrite(path, seen, cells[0], reason)
