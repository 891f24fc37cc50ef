"""The process that has JAX imported and forks one for each job, as its parent has it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jitlint.verify.children import child_environment


class ServerProcess:
    """A server that is started before its jobs are known.

    Importing JAX takes longer than all else that is needed for a small project: so it is done once,
    by the process that also says which backends there are.

    Args:
      folder: for temporary files.
    """

    def __init__(self, folder: Path) -> None:
        self._heard: list[dict[str, Any]] = []
        self._errors = (folder / "errors").open("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jitlint.verify.drive"],
            cwd=folder,
            env=child_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
            # What a job does to the group of a process above it must not end this one.
            start_new_session=True,
        )

    def backends(self) -> dict[str, Any]:
        """What it says of the backends that JAX sees; empty if it has ended instead."""
        self._say("")
        for values in self._said():
            if "backends" in values:
                return values
            # It says why it cannot do anything.
            self._heard.append(values)
        return {}

    def serve(self, listing: Path) -> Iterator[dict[str, Any]]:
        """Have it do the jobs of a file, and hear what it says until it ends."""
        self._say(str(listing))
        yield from self._heard
        yield from self._said()

    def interrupt(self) -> Iterator[dict[str, Any]]:
        """End what it does, and hear what the jobs have found that it ends."""
        self._process.terminate()
        with contextlib.suppress(json.JSONDecodeError):
            # The last line may have been cut off.
            yield from self._said()

    def end(self) -> str:
        """End it, and with it the jobs that run; its last words."""
        if self._errors.closed:
            return ""
        # It ends the jobs that run before it ends itself.
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:
                # It has ended before it was told what it was to be told.
                continue
        self._errors.seek(0)
        last = self._errors.read()[-400:].strip().splitlines()
        self._errors.close()
        return last[-1] if last else "?"

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except OSError:
            # It has ended, and has said why.
            return

    def _said(self) -> Iterator[dict[str, Any]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)
