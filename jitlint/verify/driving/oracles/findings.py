"""What the runs of a driver have recorded, and what an oracle says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jitlint.verify.driving.drivers import Code
from jitlint.verify.driving.verdicts import OWN_CALL
from jitlint.verify.recording.records import RunRecord


@dataclass
class Runs:
    """All runs of one driver.

    Args:
      name: of the driver, for the evidence.
      real: its inputs come from the user's code, not from a search.
      by: whose call it is, and whose jit.
      code: gives the call in Python; None where it is the user's own, or not known.
      traced: the runs with substitutes, each branch in turn.
      repeated: two further runs with other values, without clearing caches in between.
      eager: a run without jit, if one was made.
      natural: a run in which exceptions go where they go, if one was made.
      program: it is what happens once in a process: a module is imported, or run as a program.
    """

    name: str
    real: bool
    by: str = OWN_CALL
    code: Callable[[int], Code | None] | None = None
    traced: list[RunRecord] = field(default_factory=list)
    repeated: list[RunRecord] = field(default_factory=list)
    eager: RunRecord | None = None
    natural: RunRecord | None = None
    program: bool = False

    @property
    def everything(self) -> list[RunRecord]:
        """Every run."""
        eager = [] if self.eager is None else [self.eager]
        return _each([*self.traced, *self.repeated, *eager])

    @property
    def with_jit(self) -> list[RunRecord]:
        """The first run, and those that repeat it."""
        return _each([*self.traced[:1], *self.repeated])


def _each(runs: list[RunRecord]) -> list[RunRecord]:
    """Runs, each once: the first may be one of those that are repeated."""
    return [run for place, run in enumerate(runs) if all(run is not r for r in runs[:place])]


@dataclass(frozen=True)
class Finding:
    """An oracle's answer."""

    verdict: str
    evidence: dict[str, Any]


def plain(run: RunRecord) -> bool:
    """Whether a run went from start to end as it would without jitlint."""
    return not run.substituted and run.error is None


def times(number: int) -> str:
    """How often something happened, in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
