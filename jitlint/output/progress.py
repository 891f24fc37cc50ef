"""A progress bar on a terminal, for runs that last."""

from __future__ import annotations

import time
from typing import TextIO

_WIDTH = 30
_PATIENCE_SECONDS = 1.0
_REDRAW_SECONDS = 0.1


class ProgressBar:
    """Draws how far a run has come, once it has lasted a second; a context manager.

    Args:
      stream: where to draw; nothing is drawn unless it is a terminal.
      enabled: False draws nothing at all.
    """

    def __init__(self, stream: TextIO, enabled: bool = True) -> None:
        self._stream = stream
        self._enabled = enabled and stream.isatty()
        self._next = time.monotonic() + _PATIENCE_SECONDS
        self._drawn = False

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def update(self, done: int, total: int) -> None:
        """Say that ``done`` of ``total`` files are finished."""
        if not self._enabled or total <= 0:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _REDRAW_SECONDS
        self._drawn = True
        filled = _WIDTH * min(done, total) // total
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._stream.write(f"\r[{bar}] {done}/{total} files\x1b[K")
        self._stream.flush()
