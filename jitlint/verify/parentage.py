"""What processes are to each other, where the system lets them choose it: on Linux."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys

#: of ``prctl``
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36


def adopt_orphans() -> None:
    """Become the parent of what is started below and loses its own parent."""
    _control(_SET_SUBREAPER, 1)


def end_with_parent() -> None:
    """Be told to end when the parent of this process does."""
    _control(_SET_DEATH_SIGNAL, signal.SIGTERM)


def _control(option: int, value: int) -> None:
    """Call ``prctl``, where there is one: what it does makes things safer, and no more."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
