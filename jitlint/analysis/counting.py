"""How far an analysis has come."""

from __future__ import annotations

from collections.abc import Callable


class Count:
    """Counts the starting points that are done.

    Args:
      progress: told how many of how many.
    """

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._progress = progress
        self._done = 0
        self.total = 0

    def step(self) -> None:
        """A starting point is done."""
        self._done += 1
        if self._progress is not None:
            self._progress(min(self._done, self.total), self.total)
