"""What detectors note of a run that no path hangs on: see ``Recorder.observations``."""

from __future__ import annotations

from typing import Self

from msgspec import Struct, field


class NotedSet(Struct, eq=False):
    """Things that a detector has seen in a run, by their numbers.

    Args:
      known: the numbers.
    """

    known: set[int] = field(default_factory=set)

    def fork(self) -> Self:
        """For an analysis that goes on from here."""
        return type(self)(set(self.known))
