"""What came of an analysis."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from jitlint.analysis.parts.listings import Listing
from jitlint.diagnostics import Diagnostic, OmissionReport
from jitlint.recall.readings import RunReadings


class Outcome(Struct, frozen=True):
    """What came of an analysis.

    Args:
      diagnostics: about the targets.
      parsed: how much source became syntax trees.
      listing: gives the functions that run; None where nobody listed them, or some were seen by
        other processes or in earlier runs.
      omissions: gives what was left out: of all parts where that was asked for, else of those that
        this process interpreted in this run.
      dismantle: takes apart what was interpreted; nothing but the diagnostics can be had then.
      early: whether something of it may be outdated.
      read: what was read of the project, but for what was asked before anything was interpreted;
        nothing where nobody keeps it.
    """

    diagnostics: list[Diagnostic]
    parsed: int
    listing: Callable[[], Listing] | None
    omissions: Callable[[], tuple[OmissionReport, ...]]
    dismantle: Callable[[], None]
    early: bool
    read: RunReadings
