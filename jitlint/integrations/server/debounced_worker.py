"""One thread that works on what changed last, and on nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: seconds of silence after which a burst of changes is taken to be over
PAUSE = 0.1
#: runs that take this many seconds do not begin while someone types
SLOW = 0.5
#: the longest silence to wait for, in seconds
LONGEST_PAUSE = 1.0

#: says whether what is being worked on has been overtaken
Stale = Callable[[], bool]


class Worker:
    """Runs one task whenever it is asked to, never two at a time, and never a queue of them.

    The first request after a pause is served at once; requests that follow fast are served once,
    when they cease.  Where runs are slow, the first one waits too.  A run that was overtaken can
    find out and give up.

    Args:
      task: is given a function that says whether the run was overtaken.  It must not raise.
      pause: seconds without a request that end a burst.
    """

    def __init__(self, task: Callable[[Stale], None], pause: float = PAUSE) -> None:
        self._task = task
        self._pause = pause
        self._condition = threading.Condition()
        self._cost = 0.0
        self._due: float | None = None
        self._last = float("-inf")
        self._requests = 0
        self._stopped = False
        # A daemon: a run that is under way does not keep the process from ending.
        self._thread = threading.Thread(target=self._loop, name="jitlint-worker", daemon=True)
        self._thread.start()

    def request(self, *, at_once: bool = False) -> None:
        """Ask for a run, which overtakes the one under way.

        Args:
          at_once: do not wait for more requests.
        """
        with self._condition:
            now = time.monotonic()
            pause = max(self._pause, min(self._cost, LONGEST_PAUSE))
            waits = now - self._last < pause or self._cost > SLOW
            self._due = now + pause if waits and not at_once else now
            self._last = now
            self._requests += 1
            self._condition.notify()

    def stop(self) -> None:
        """Overtake the run under way, and begin no other."""
        with self._condition:
            self._stopped = True
            self._requests += 1
            self._condition.notify()

    def _loop(self) -> None:
        while True:
            with self._condition:
                while not self._stopped:
                    left = None if self._due is None else self._due - time.monotonic()
                    if left is not None and left <= 0:
                        break
                    self._condition.wait(left)
                if self._stopped:
                    return
                self._due = None
                serial = self._requests
            begin = time.monotonic()
            self._task(lambda serial=serial: self._requests != serial)  # type: ignore[misc]
            if self._requests == serial:
                self._cost = time.monotonic() - begin
