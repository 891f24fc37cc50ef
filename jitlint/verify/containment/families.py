"""A process and all that it has started: how much memory they hold, and how they are ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Collection
from pathlib import Path

_PROC = Path("/proc")
#: how long ending what was left behind may take
_SWEEP_SECONDS = 5.0


def sweep(spared: Collection[int] = ()) -> None:
    """End the children of this process, and theirs, wherever the system tells which those are.

    A process that has left its group and lost its parent becomes a child of the one above that has
    asked for it, on Linux; elsewhere only a group can be ended.

    Args:
      spared: the children that are to live on.
    """
    deadline = time.monotonic() + _SWEEP_SECONDS
    while time.monotonic() < deadline:
        family = relations()
        strays = [pid for pid in family.get(os.getpid(), ()) if pid not in spared]
        if not strays:
            return
        everyone = [pid for stray in strays for pid in descendants(stray, family)]
        # All are stopped before one is ended: nobody can start another one in the meantime.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in everyone:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def relations() -> dict[int, list[int]]:
    """The children of each process, where the system tells."""
    found: dict[int, list[int]] = {}
    for entry in _PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The command's name, in parentheses, may hold anything.
            after = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            found.setdefault(int(after[1]), []).append(int(entry.name))
    return found


def descendants(pid: int, family: dict[int, list[int]]) -> list[int]:
    """A process, its children, and theirs.

    Args:
      pid: the process.
      family: the children of each process.
    """
    found = [pid]
    for known in found:
        found += family.get(known, ())
    return found


def resident_bytes(pids: Collection[int], limit: int) -> int:
    """The memory that some processes hold in RAM; 0 where that cannot be told.

    What several of them share is counted for each, as long as that stays below the limit: the sum
    without it takes longer to find out.

    Args:
      pids: the processes.
      limit: what matters.
    """
    if not (_PROC / "self" / "statm").exists():
        return sum(map(_told_by_ps, pids))
    size = sum(map(_resident, pids))
    return size if size <= limit or len(pids) == 1 else sum(map(_proportional, pids))


def _resident(pid: int) -> int:
    try:
        pages = (_PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        # The process has just ended.
        return 0


def _proportional(pid: int) -> int:
    """The resident size of a process, with its share only of what it shares with others."""
    try:
        text = (_PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return _resident(pid)
    sizes = [line.split()[1] for line in text.splitlines() if line.startswith("Pss:")]
    return int(sizes[0]) * 1024 if sizes else 0


def _told_by_ps(pid: int) -> int:
    try:
        found = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return int(found.stdout.strip() or 0) * 1024
    except (OSError, ValueError):
        return 0
