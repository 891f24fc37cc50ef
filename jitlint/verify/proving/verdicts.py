"""What running says of a fix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PROVEN = "proven"
CHANGES = "changes-result"
NOT_RUN = "not-run"
#: the verdict that weighs most first
ORDER = (CHANGES, PROVEN, NOT_RUN)
WORDS = {PROVEN: "proven", CHANGES: "changes the result", NOT_RUN: "not run"}


def verdict(backend: str, word: str, summary: str, **evidence: Any) -> dict[str, Any]:
    """A verdict as it stands in the JSON report.

    Args:
      backend: where the programs were run.
      word: one of ``ORDER``.
      summary: the evidence in one sentence.
      evidence: the rest of it.
    """
    return {"backend": backend, "verdict": word, "evidence": {"summary": summary, **evidence}}


def counts(reports: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many fixes have a verdict, by the one that weighs most on any backend."""
    found = [report["fix_verdicts"] for report in reports if report.get("fix_verdicts")]
    worst = [min((v["verdict"] for v in verdicts), key=ORDER.index) for verdicts in found]
    return {word: worst.count(word) for word in (PROVEN, CHANGES, NOT_RUN) if word in worst}
