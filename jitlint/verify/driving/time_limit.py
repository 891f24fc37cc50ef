"""A limit on how long a stretch of code may run."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any


class TimeUp(BaseException):
    """Ends what takes too long; no handler for ``Exception`` catches it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeUp`` in the main thread after some seconds, where the system has alarms."""

    def stop(*_: Any) -> None:
        raise TimeUp

    if not hasattr(signal, "setitimer"):
        yield
        return
    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
