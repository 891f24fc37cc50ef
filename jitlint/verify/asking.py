"""Which backends JAX sees, asked in a process of its own.

Where JAX has started a backend, no process can be forked any more that is to use it.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import time
from typing import Any

from jitlint.verify.children import START_SECONDS
from jitlint.verify.parentage import end_with_parent


def ask(seconds: float = START_SECONDS) -> dict[str, Any]:
    """The backends with their kinds; none, and in words why, if JAX cannot say.

    Args:
      seconds: how long JAX may take: an accelerator that another process has may never answer.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _answer(writer)
    os.close(writer)
    said = b""
    until = time.monotonic() + seconds
    try:
        while select.select([reader], [], [], max(until - time.monotonic(), 0.0))[0]:
            part = os.read(reader, 4096)
            if not part:
                return _found(said)
            said += part
        return {"backends": None, "trouble": None}
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(reader)


def _answer(writer: int) -> None:
    """The rest of the life of the process that is asked."""
    try:
        end_with_parent()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Plugins may print when they start.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        seen = importlib.import_module("jax.extend.backend").backends()
        said: dict[str, Any] = {"backends": [[name, it.platform] for name, it in seen.items()]}
    except BaseException as error:
        lines = f"{type(error).__name__}: {error}".strip().splitlines()
        said = {"backends": None, "trouble": lines[-1]}
    try:
        os.write(writer, json.dumps(said).encode())
    finally:
        os._exit(0)


def _found(said: bytes) -> dict[str, Any]:
    if not said:
        return {"backends": None, "trouble": "its process crashes"}
    found: dict[str, Any] = json.loads(said)
    return found
