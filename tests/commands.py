"""Run jitlint as a user would: a command line in a process of its own.

Most of what such a process takes is to start and to import.  So it is forked from one that has all
of that behind it (``template_process.py``), where the platform has forks and nothing is asked for
that Python heeds only when it starts.  What it is handed is what any process is: arguments, a
folder, an environment, standard streams; and it ends as one, by its status or by a signal.

Tests of the start itself use ``subprocess``.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from jitlint.foundation.forks import can_fork

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = Path(__file__).with_name("template_process.py")
#: read by Python when it starts; where these differ, it has to start
_STARTING = ("PYTHON", "LC_", "LANG", "LD_", "COVERAGE_")
#: no test waits that long
PATIENCE = 600.0


def jitlint(
    *arguments: str | Path,
    cwd: str | Path | None = None,
    stdin: str | bytes = "",
    env: Mapping[str, str] | None = None,
    module: str = "jitlint",
    text: bool = True,
) -> subprocess.CompletedProcess[Any]:
    """Run ``python -m jitlint`` and wait for its end.

    Args:
      arguments: the command and its options.
      cwd: its folder; that of this process by default.
      stdin: what it reads.
      env: what of the environment is other than here.
      module: another program than jitlint, such as flake8.
      text: whether what it says is given as text, or as bytes.

    Returns:
      What it said, and its status.
    """
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin.encode() if isinstance(stdin, str) else stdin)
        given.seek(0)
        streams = (given.fileno(), out.fileno(), err.fileno())
        process = _begin([module, *map(str, arguments)], streams, cwd, env)
        try:
            code = process.wait(PATIENCE)
        except BaseException:
            process.kill()
            raise
        said: list[Any] = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read())
    if text:
        said = [each.decode().replace("\r\n", "\n").replace("\r", "\n") for each in said]
    return subprocess.CompletedProcess(arguments, code, *said)


class Process:
    """A command line that runs, with pipes for its standard streams.

    Args:
      arguments: as those of ``jitlint``.
      cwd: the same.
      env: the same.
      module: what is run instead, as ``python -m`` runs it.
    """

    def __init__(
        self,
        *arguments: str | Path,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        module: str = "jitlint",
    ) -> None:
        reading, self.stdin = _pipe(writing=True)
        self.stdout, writing = _pipe(writing=False)
        self.stderr, telling = _pipe(writing=False)
        streams = (reading, writing, telling)
        self._process = _begin([module, *map(str, arguments)], streams, cwd, env)
        for stream in streams:
            os.close(stream)
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Its status once it has ended; minus the number of the signal that ended it."""
        return self._process.poll()

    def wait(self, timeout: float = PATIENCE) -> int:
        """Wait for its end, and give its status."""
        return self._process.wait(timeout)

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)


def _pipe(*, writing: bool) -> tuple[Any, Any]:
    """A pipe of which this process has one end as a file."""
    source, sink = os.pipe()
    if writing:
        return source, open(sink, "wb", buffering=0)
    return open(source, "rb"), sink


def _begin(
    command: list[str],
    streams: tuple[int, int, int],
    cwd: str | Path | None,
    env: Mapping[str, str] | None,
) -> subprocess.Popen[bytes] | _Forked:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    folder = Path.cwd() / (cwd or "")
    if can_fork():
        template = _Template.running()
        if template.starting == _heeded_at_the_start(environment):
            return template.fork(command, streams, folder, environment)
    given, out, err = streams
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=folder, env=environment, stdin=given, stdout=out, stderr=err,
    )  # fmt: skip


def _heeded_at_the_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in environment.items() if name.startswith(_STARTING)}


class _Template:
    """The process that forks."""

    _running: _Template | None = None
    _starting = threading.Lock()

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.starting = _heeded_at_the_start(environment)
        self._owner = os.getpid()
        self._asking, other = socket.socketpair()
        with other:
            self._process = subprocess.Popen(
                [sys.executable, str(TEMPLATE), str(other.fileno())],
                env=environment,
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        atexit.register(self.end)

    @classmethod
    def running(cls) -> _Template:
        """The one of this process."""
        with cls._starting:
            if cls._running is None or cls._running._owner != os.getpid():
                cls._running = cls()
            return cls._running

    def fork(
        self, command: list[str], streams: tuple[int, int, int], cwd: Path, env: Mapping[str, str]
    ) -> _Forked:
        control, other = socket.socketpair()
        with other:
            socket.send_fds(self._asking, [b"."], [other.fileno(), *streams])
        module, *arguments = command
        wanted = {
            "module": module, "arguments": arguments, "cwd": str(cwd), "environment": dict(env)
        }  # fmt: skip
        control.sendall(json.dumps(wanted).encode() + b"\n")
        return _Forked(control, command)

    def end(self) -> None:
        if self._owner == os.getpid():
            self._asking.close()
            self._process.wait()


class _Forked:
    """As ``subprocess.Popen``, of a process that the template has forked."""

    def __init__(self, control: socket.socket, command: list[str]) -> None:
        self._control = control
        self._heard = b""
        self._command = command
        self._status: int | None = None
        while b"\n" not in self._heard:
            self._hear(PATIENCE)
        pid, _, self._heard = self._heard.partition(b"\n")
        self.pid = int(pid)

    def _hear(self, timeout: float) -> bool:
        """Whether something has come within some seconds."""
        ready, _, _ = select.select([self._control], [], [], timeout)
        if ready:
            word = self._control.recv(64)
            if not word:
                raise RuntimeError("the process that forks has ended")
            self._heard += word
        return bool(ready)

    def poll(self) -> int | None:
        # A process that ends at once may have said so along with its number.
        while self._status is None and (self._heard.endswith(b"\n") or self._hear(0.0)):
            if self._heard.endswith(b"\n"):
                self._status = int(self._heard)
                self._control.close()
        return self._status

    def wait(self, timeout: float = PATIENCE) -> int:
        end = time.monotonic() + timeout
        while self.poll() is None:
            left = end - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(self._command, timeout)
            select.select([self._control], [], [], left)
        assert self._status is not None
        return self._status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
