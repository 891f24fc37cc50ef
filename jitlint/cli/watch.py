"""``jitlint check --watch``: lint again whenever something changes."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from jitlint.cli.exit_codes import OK
from jitlint.cli.streams import tell
from jitlint.run.plan import files_of
from jitlint.run.request import Request
from jitlint.usage_errors import UsageError

#: how often to look, where looking costs little
_SECONDS: Final = 0.3
#: of the time of one processor
_SHARE: Final = 0.05
#: editors and version control write several files at once
_SETTLING_SECONDS: Final = 0.05
_CLEAR: Final = "\x1b[2J\x1b[H"


def watch(request: Request, lint: Callable[[], object]) -> int:
    """Lint, and again after each change, until an interrupt.

    Args:
      request: what is linted; says which files count.
      lint: lints once and shows what it found.

    Returns:
      The exit code.
    """
    try:
        while True:
            before = _snapshot(request)
            if sys.stdout.isatty():
                sys.stdout.write(_CLEAR)
            try:
                lint()
            except UsageError as error:
                # What is wrong with the configuration may be put right.
                tell(f"error: {error}")
            # The collector is off while a check runs, and this one lasts.
            gc.collect()
            tell("watching for changes; Ctrl-C ends it")
            _wait(request, before)
    except KeyboardInterrupt:
        return OK


def _wait(request: Request, before: Any) -> None:
    """Wait until something is not as it was, and nothing changes any more."""
    while True:
        start = time.process_time()
        now = _snapshot(request)
        cost = time.process_time() - start
        if now != before:
            break
        time.sleep(max(_SECONDS, cost / _SHARE))
    while True:
        time.sleep(_SETTLING_SECONDS)
        before, now = now, _snapshot(request)
        if now == before:
            return


def _snapshot(request: Request) -> Any:
    """Times and sizes of everything that a run reads, or why it cannot be said."""
    try:
        paths = files_of(request)
    except UsageError as error:
        return str(error)
    found = {}
    for path in paths:
        try:
            status = os.stat(path)  # noqa: PTH116 - hot
        except OSError as error:
            found[path] = (error.errno or 0, 0, 0, 0)
        else:
            found[path] = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
    return found
