"""What the runs of a driver have recorded, and what an oracle says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jitlint.verify.driving.drivers import OWN_CALL, Code
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
    """

    name: str
    real: bool
    by: str = OWN_CALL
    code: Callable[[int], Code | None] | None = None
    traced: list[RunRecord] = field(default_factory=list)
    repeated: list[RunRecord] = field(default_factory=list)
    eager: RunRecord | None = None

    @property
    def everything(self) -> list[RunRecord]:
        """Every run."""
        return [*self.traced, *self.repeated, *([] if self.eager is None else [self.eager])]


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
