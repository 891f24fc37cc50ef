"""``jitlint check --add-noqa``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jitlint.diagnostics import Diagnostic
from jitlint.rules.codes import OWN_FAMILY
from jitlint.run.source_texts import SourceTexts
from jitlint.source.noqa_comments import rewrite


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


def add_noqa(shown: Sequence[Diagnostic], sources: SourceTexts) -> Outcome:
    """Write a ``# noqa`` comment for each report.

    Args:
      shown: the reports, in order.
      sources: the texts that were linted.

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
        codes: dict[int, list[str]] = {}
        for item in found:
            codes.setdefault(item.location.row, []).append(item.code)
        try:
            rewrite(Path(filename), sources.text(filename) or "", codes)
        except OSError as error:
            failures.append(f"cannot write {filename}: {error.strerror}")
        except ValueError as error:
            failures.append(f"cannot add comments to {filename}: {error}")
        else:
            done.add(filename)
    left = [item for item in shown if item.filename not in done or item.code.startswith(OWN_FAMILY)]
    return Outcome(left, len(shown) - len(left), len(done), failures)
