"""Reports of a file that rest on the same guess are one suspicion, told once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jitlint.diagnostics import Diagnostic, TraceStep

#: a report to show, and the others that rest on the same guess
Suspicion = tuple[Diagnostic, Sequence[Diagnostic]]


def suspicions(reports: Iterable[Diagnostic]) -> Sequence[Suspicion]:
    """Put reports together of which either all are right or none.

    Args:
      reports: in the order in which they are shown.

    Returns:
      The first of each suspicion, in that order, with the others.
    """
    found: list[tuple[Diagnostic, list[Diagnostic]]] = []
    known: dict[tuple[str, TraceStep], list[Diagnostic]] = {}
    for item in reports:
        key = None if item.guess is None else (item.filename, item.guess)
        if key in known:
            known[key].append(item)
            continue
        others: list[Diagnostic] = []
        found.append((item, others))
        if key is not None:
            known[key] = others
    return found


def places(suspicion: Suspicion) -> str:
    """Where the others stand: ``12:8 (JIT101), 15:4 (JIT105)``, in another cell with its number."""
    first, others = suspicion
    return ", ".join(
        ("" if item.cell == first.cell else f"cell {item.cell}:")
        + f"{item.location.row}:{item.location.column} ({item.code})"
        for item in others
    )
