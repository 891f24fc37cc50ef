"""Reports of a file that rest on the same guess are one suspicion, told once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jitlint.diagnostics import Diagnostic, TraceStep
from jitlint.foundation.certainty import GUESSED

#: a report to show, and the others that rest on the same guess
Suspicion = tuple[Diagnostic, Sequence[Diagnostic]]


def suspicions(reports: Iterable[Diagnostic]) -> list[Suspicion]:
    """Put reports together of which either all are right or none.

    Args:
      reports: in the order in which they are shown.

    Returns:
      The first of each suspicion, in that order, with the others.
    """
    found: list[tuple[Diagnostic, list[Diagnostic]]] = []
    known: dict[tuple[str, TraceStep], list[Diagnostic]] = {}
    for item in reports:
        guess = next((step for step in item.trace if step.certainty == GUESSED), None)
        others = None if guess is None else known.get((item.filename, guess))
        if others is not None:
            others.append(item)
            continue
        others = []
        found.append((item, others))
        if guess is not None:
            known[item.filename, guess] = others
    return list(found)


def places(suspicion: Suspicion) -> str:
    """Where the others stand: ``12 (JIT101), 15 (JIT105)``, in words that follow "row"."""
    first, others = suspicion
    return ", ".join(
        ("" if item.cell == first.cell else f"cell {item.cell}:")
        + f"{item.location.row}:{item.location.column} ({item.code})"
        for item in others
    )
