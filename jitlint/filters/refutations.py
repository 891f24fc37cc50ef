"""``--verified``: leave out what ``jitlint verify`` has refuted."""

from __future__ import annotations

import json
from pathlib import Path

from jitlint.usage_errors import UsageError


def refuted_fingerprints(path: Path) -> frozenset[str]:
    """The fingerprints of the reports that no backend confirmed and one refuted.

    Args:
      path: what ``jitlint verify --output-format json`` wrote.

    Raises:
      UsageError: the file cannot be read, or is something else.
    """
    expected = "(expected a file that 'jitlint verify --output-format json' wrote)"
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--verified: cannot read {path}: {error.strerror} {expected}") from None
    except ValueError:
        raise UsageError(f"--verified: {path} is no JSON {expected}") from None
    try:
        return frozenset(
            report["fingerprint"]
            for report in loaded["reports"]
            if _refuted({verdict["verdict"] for verdict in report["verdicts"]})
        )
    except (KeyError, TypeError):
        raise UsageError(f"--verified: {path} has no verdicts {expected}") from None


def _refuted(verdicts: set[str]) -> bool:
    return "refuted" in verdicts and "confirmed" not in verdicts
