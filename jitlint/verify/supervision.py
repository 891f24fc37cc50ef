"""The supervisor of a job: the limits it keeps, and the end of whatever it starts."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from jitlint.verify.containment.copies import ProjectCopy
from jitlint.verify.containment.families import descendants, relations, resident_bytes, sweep
from jitlint.verify.containment.inventory import Inventory
from jitlint.verify.containment.relocation import Relocation
from jitlint.verify.job_process import GRACE_SECONDS, Confines, RunJob, become
from jitlint.verify.parentage import adopt_orphans, end_with_parent

_POLL_SECONDS = 0.05
#: how often it is looked up which processes a job has started
_FAMILY_SECONDS = 0.25
#: how much of what a job prints is kept, from its end
_OUTPUT_KEPT = 2000
#: how much of its last line says why it has ended
_WORDS_KEPT = 160


@dataclass(frozen=True)
class Assignment:
    """One job, and what belongs to it.

    Args:
      values: the job, with the paths of the original.
      relocation: where the copy of its project is.
      record: the file that says what was copied there.
      scratch: a folder for the job's temporary files.
      results: the file that the job writes what it finds into.
      ending: the file that says how it ended.
      held: whether the system is to keep it from changing what lies outside.
    """

    values: dict[str, Any]
    relocation: Relocation
    record: Path
    scratch: Path
    results: Path
    ending: Path
    held: bool


@dataclass
class _Watched:
    """What is known of a running job."""

    output: bytes = b""
    peak: int = 0
    ended: str = ""
    family: list[int] = field(default_factory=list)
    looked: float = 0.0


def supervise(assignment: Assignment, run_job: RunJob) -> NoReturn:
    """The life of a supervisor, in a process of its own.

    Args:
      assignment: the job.
      run_job: does it, in yet another process.
    """
    status = 1
    try:
        # A job that ends the group of its parent ends this process, and nothing above it.
        os.setsid()
        adopt_orphans()
        end_with_parent()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        watched = _run(assignment, run_job)
        ending = {
            "ended": watched.ended,
            "peak_bytes": watched.peak,
            "output": watched.output.decode(errors="replace").strip()[-_OUTPUT_KEPT:],
        }
        assignment.ending.write_text(json.dumps(ending), encoding="utf-8")
        status = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(status)


def _run(assignment: Assignment, run_job: RunJob) -> _Watched:
    relocation, values = assignment.relocation, assignment.values
    inventory = Inventory.read(Path(values["inventory"]))
    try:
        ProjectCopy(inventory, Path(relocation.copy), assignment.record).refresh()
    except OSError as error:
        return _Watched(ended=f"was not started: its project cannot be copied: {error}")
    moved = relocation.into_copy({k: v for k, v in values.items() if k != "original"}, inventory)
    moved |= {"original": relocation.original, "copy": relocation.copy}
    confines = Confines(
        Path(relocation.copy), assignment.scratch, assignment.results, assignment.held
    )
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        become(moved, confines, run_job, writer)
    os.close(writer)
    try:
        return _watch(pid, reader, values["seconds"] + GRACE_SECONDS, values["memory_bytes"])
    finally:
        _end(pid)
        os.close(reader)


def _watch(pid: int, reader: int, seconds: float, memory: int) -> _Watched:
    """Wait for a process, reading what it prints, and end it when it goes beyond a limit."""
    watched = _Watched()
    deadline = time.monotonic() + seconds
    open_ = True
    while True:
        if open_:
            ready, _, _ = select.select([reader], [], [], _POLL_SECONDS)
            if ready:
                chunk = os.read(reader, 1 << 20)
                open_ = bool(chunk)
                watched.output = (watched.output + chunk)[-2 * _OUTPUT_KEPT :]
        else:
            time.sleep(_POLL_SECONDS)
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            while open_ and select.select([reader], [], [], 0)[0]:
                chunk = os.read(reader, 1 << 20)
                open_ = bool(chunk) and time.monotonic() < deadline
                watched.output = (watched.output + chunk)[-2 * _OUTPUT_KEPT :]
            watched.ended = _ending(status, watched.output)
            break
        size = resident_bytes(_family(pid, watched), memory)
        watched.peak = max(watched.peak, size)
        if size > memory:
            watched.ended = f"needed more than {memory / 2**30:.1f} GiB of memory"
        elif time.monotonic() > deadline:
            watched.ended = f"did not end within {seconds:.0f} s"
        if watched.ended:
            break
    return watched


def _ending(status: int, output: bytes) -> str:
    """Why a process has ended, in words; nothing where that was as it should be."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"was killed by signal {number} ({signal.strsignal(number)})"
    if not os.WEXITSTATUS(status):
        return ""
    last = output.decode(errors="replace").strip().splitlines()[-1:]
    words = "".join(f" ({line[:_WORDS_KEPT]})" for line in last)
    return f"ended with status {os.WEXITSTATUS(status)}{words}"


def _family(pid: int, watched: _Watched) -> list[int]:
    """The processes of a job: as this one adopts what has lost its parent, all those below it."""
    now = time.monotonic()
    if now - watched.looked > _FAMILY_SECONDS:
        watched.looked = now
        below = descendants(os.getpid(), relations())[1:]
        watched.family = [pid, *(other for other in below if other != pid)]
    return watched.family


def _end(pid: int) -> None:
    """End a job and whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
    sweep()
