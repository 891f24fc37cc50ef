"""One thread that works on what changed last, and on nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: seconds of silence after which a burst of changes is taken to be over
PAUSE = 0.1
#: the longest silence to wait for where runs are slow, in seconds
LONGEST_PAUSE = 0.25
#: seconds without a request after which nobody seems to type any more
REST = 3.0

#: says whether what is being worked on has been overtaken
Stale = Callable[[], bool]


class Worker:
    """Runs one task whenever it is asked to, never two at a time, and never a queue of them.

    The first request after a pause is served at once; requests that follow fast are served once,
    when they cease.  A run that was overtaken can find out and give up.

    Args:
      task: is given a function that says whether the run was overtaken.  It must not raise.
      pause: seconds without a request that end a burst.
      tidy: is called some time after the last run, when nobody asks for more.  It must not raise.
      rest: seconds without a request until then.
    """

    def __init__(
        self,
        task: Callable[[Stale], None],
        pause: float = PAUSE,
        tidy: Callable[[], None] | None = None,
        rest: float = REST,
    ) -> None:
        self._task = task
        self._pause = pause
        self._tidy = tidy
        self._rest = rest
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
            waits = now - self._last < pause
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
        untidy = False
        while True:
            serial = self._wait(self._rest if untidy else None)
            if self._stopped:
                return
            if serial is not None:
                self._run(serial)
                untidy = self._tidy is not None
            elif self._tidy is not None:
                self._tidy()
                untidy = False

    def _wait(self, rest: float | None) -> int | None:
        """Wait for a run that is due, or for as many seconds in which none was asked for.

        Returns:
          The number of requests that the run serves; None if no run is due.
        """
        with self._condition:
            while not self._stopped:
                if self._due is None:
                    # A request may come just when the time is up.
                    if not self._condition.wait(rest) and self._due is None:
                        return None
                elif (left := self._due - time.monotonic()) > 0:
                    self._condition.wait(left)
                else:
                    self._due = None
                    return self._requests
        return None

    def _run(self, serial: int) -> None:
        begin = time.monotonic()
        self._task(lambda: self._requests != serial)
        if self._requests == serial:
            self._cost = time.monotonic() - begin
