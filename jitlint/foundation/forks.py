"""Child processes that share what their parent holds, and messages between them.

A forked child sees all of its parent's memory without copying it, so only results travel.  No child
outlives its parent, however that ends: each watches a pipe whose other end only the parent holds.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

_T = TypeVar("_T")
_LENGTH = struct.Struct("!Q")
_CHUNK = 1 << 20
#: where Linux says how much time a control group has in a period, both in microseconds
_QUOTAS = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)


class ForkLostError(Exception):
    """A child ended before it had said everything."""


def can_fork() -> bool:
    """Whether this platform has processes that share memory."""
    return hasattr(os, "fork") and sys.platform not in ("win32", "emscripten", "wasi")


def processors() -> int:
    """How many processes can run at once, of what this one may use."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return max(1, min(count, _granted()))


def _granted() -> int:
    """How many processors' time a container gives to its processes."""
    for names in _QUOTAS:
        try:
            said = " ".join(Path(name).read_text(encoding="ascii") for name in names)
            quota, period = map(int, said.split())
        except (OSError, ValueError):
            # No container, or one that may use all there is: "max".
            continue
        if quota > 0 < period:
            return -(-quota // period)
    return sys.maxsize


class Channel:
    """Objects in both directions between two processes.

    Args:
      source: descriptor that is read.
      sink: descriptor that is written.
    """

    def __init__(self, source: int, sink: int) -> None:
        self.source = source
        self._sink = sink

    def send(self, message: Any) -> None:
        """Send an object that can be pickled.

        Raises:
          ForkLostError: nobody listens any more.
        """
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        view = memoryview(_LENGTH.pack(len(data)) + data)
        try:
            while view:
                view = view[os.write(self._sink, view) :]
        except OSError as error:
            raise ForkLostError(str(error)) from error

    def receive(self) -> Any:
        """The next object.

        Raises:
          ForkLostError: the other side has ended.
        """
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return pickle.loads(self._read(length))

    def _read(self, length: int) -> bytes:
        parts = []
        while length:
            try:
                part = os.read(self.source, min(length, _CHUNK))
            except OSError as error:
                raise ForkLostError(str(error)) from error
            if not part:
                raise ForkLostError("the other process has ended")
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        """Give the descriptors back."""
        os.close(self.source)
        os.close(self._sink)


class Forks:
    """Children of this process; a context manager that leaves none behind.

    Args:
      task: what each child runs, with its number and its end of a channel.
      count: how many.
    """

    def __init__(self, task: Callable[[int, Channel], None], count: int) -> None:
        self._task = task
        self._count = count
        self._pids: list[int] = []
        self._lifeline: tuple[int, int] = (-1, -1)
        #: this side's ends of the channels, in the order of the children
        self.channels: list[Channel] = []

    def __enter__(self) -> Forks:
        self._lifeline = os.pipe()
        try:
            for number in range(self._count):
                self._fork(number)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for descriptor in self._lifeline:
            os.close(descriptor)
        for channel in self.channels:
            channel.close()
        for pid in self._pids:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                continue
        self._pids.clear()
        self.channels.clear()

    def any_order(self) -> Iterator[tuple[int, Any]]:
        """Messages of all children as they come, each with the number of its sender.

        Raises:
          ForkLostError: a child has ended.
        """
        numbers = {channel.source: number for number, channel in enumerate(self.channels)}
        while True:
            ready, _, _ = select.select(list(numbers), [], [])
            for source in ready:
                number = numbers[source]
                yield number, self.channels[number].receive()

    def _fork(self, number: int) -> None:
        from_child, child_sink = os.pipe()
        child_source, to_child = os.pipe()
        with warnings.catch_warnings():
            # Python warns of threads that hold locks.  The other thread of a check only waits.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid:
            os.close(child_sink)
            os.close(child_source)
            self._pids.append(pid)
            self.channels.append(Channel(from_child, to_child))
            return
        status = 1
        try:
            # Ends that belong to the parent would keep siblings waiting after its death.
            for descriptor in (from_child, to_child, self._lifeline[1]):
                os.close(descriptor)
            for channel in self.channels:
                channel.close()
            _watch(self._lifeline[0])
            self._task(number, Channel(child_source, child_sink))
            status = 0
        finally:
            # Whatever was raised: nothing of the parent's clean-up may run here, and what the
            # parent misses it does itself.
            os._exit(status)


def apart(call: Callable[[], _T]) -> _T:
    """Call a function in a child, so that the memory it takes goes with that.

    Args:
      call: the function; what it returns and raises can be pickled.

    Returns:
      Its result.  Where no child can do it, this process does.
    """

    def task(number: int, channel: Channel) -> None:
        try:
            answer: tuple[_T | None, Exception | None] = (call(), None)
        except Exception as error:
            answer = (None, error)
        channel.send(answer)

    if can_fork():
        try:
            with Forks(task, 1) as forks:
                result, error = forks.channels[0].receive()
        except (ForkLostError, OSError):
            return call()
        if error is not None:
            raise error
        found: _T = result
        return found
    return call()


def _watch(lifeline: int) -> None:
    """End this process when the other end of a pipe is closed."""

    def wait() -> None:
        os.read(lifeline, 1)
        os._exit(1)

    threading.Thread(target=wait, name="jitlint-lifeline", daemon=True).start()
