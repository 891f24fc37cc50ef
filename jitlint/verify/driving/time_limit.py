"""A limit on how long a stretch of code may run."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterator
from typing import Any

#: after so many seconds it is raised again: what collects garbage may have swallowed it
_AGAIN_SECONDS = 1.0
#: when it is raised where it was due in the meantime
_SOON_SECONDS = 0.001


class TimeUp(BaseException):
    """Ends what takes too long; no handler for ``Exception`` catches it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeUp`` in the main thread after some seconds, where the system has alarms.

    A limit around it goes on once it has ended.
    """
    running = True

    def stop(*_: Any) -> None:
        if running:
            raise TimeUp

    if not hasattr(signal, "setitimer"):
        yield
        return
    previous = signal.signal(signal.SIGALRM, stop)
    begun = time.monotonic()
    around, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
    try:
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        if around:
            left = max(around - (time.monotonic() - begun), _SOON_SECONDS)
            signal.setitimer(signal.ITIMER_REAL, left, interval)
