"""One process for each job, held to its limits: time, memory, output.

Runs in the process that has imported JAX but runs no user code: JAX is imported once for all jobs,
and each job is a fork of that process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_POLL_SECONDS = 0.05
#: how much of what a job prints is kept, from its end
_OUTPUT_KEPT = 2000
#: beyond the job's own limit, which it keeps by itself unless it hangs in compiled code
_GRACE_SECONDS = 15.0

RunJob = Callable[[dict[str, Any], Callable[[dict[str, Any]], None]], None]


@dataclass
class _Watched:
    """What is known of a running job."""

    output: bytes = b""
    flooded: int = 0
    peak: int = 0
    ended: str = ""


def serve(listing: Path, run_job: RunJob) -> int:
    """Do the jobs of a file one after the other.

    Args:
      listing: a JSON list of jobs.
      run_job: does one, in a process of its own, and sends what it finds.

    Returns:
      0; 2 where processes cannot be forked.
    """
    stream = sys.stdout
    if not hasattr(os, "fork"):
        _send(stream, {"fatal": "verify needs a platform that can fork: Linux or macOS"})
        return 2
    # Whoever ends this process ends the job that it watches, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    confirmed: set[tuple[str, int]] = set()
    for number, values in enumerate(json.loads(listing.read_text(encoding="utf-8"))):
        _send(stream, {"job": number})
        platform = values["platform"]
        if values["own"] and all((platform, report) in confirmed for report in values["own"]):
            # Other jobs have confirmed everything that this one is about.
            ending = {"done": True, "ended": "", "peak_bytes": 0, "output": ""}
            _send(stream, {"end": number, **ending})
            continue
        with tempfile.TemporaryDirectory(prefix="job-", dir=listing.parent) as scratch:
            results = listing.parent / f"results-{number}"
            watched = _run(values, Path(scratch), results, run_job)
            done = False
            if results.exists():
                for line in results.read_text(encoding="utf-8").splitlines():
                    with contextlib.suppress(json.JSONDecodeError):
                        found = json.loads(line)
                        done = done or "done" in found
                        if found.get("verdict", {}).get("verdict") == "confirmed":
                            confirmed.add((platform, found["report"]))
                        _send(stream, found)
                results.unlink()
        ended = watched.ended or ("" if done else "ended before it was done")
        _send(
            stream,
            {
                "end": number,
                "done": done,
                "ended": ended,
                "peak_bytes": watched.peak,
                "output": watched.output.decode(errors="replace").strip()[-_OUTPUT_KEPT:],
            },
        )
    return 0


def _send(stream: Any, values: dict[str, Any]) -> None:
    stream.write(json.dumps(values) + "\n")
    stream.flush()


def _run(values: dict[str, Any], scratch: Path, results: Path, run_job: RunJob) -> _Watched:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _become(values, scratch, results, run_job, writer)
    os.close(writer)
    try:
        return _watch(pid, reader, values["seconds"] + _GRACE_SECONDS, values["memory_bytes"])
    finally:
        _end(pid)
        os.close(reader)


def _become(
    values: dict[str, Any], scratch: Path, results: Path, run_job: RunJob, writer: int
) -> None:
    """The rest of the forked process's life."""
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Should nobody be left to watch it, the job ends by itself.
        faulthandler.dump_traceback_later(values["seconds"] + 2 * _GRACE_SECONDS, exit=True)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        os.close(writer)
        os.chdir(scratch)
        with results.open("a", encoding="utf-8") as stream:
            own = os.getpid()

            def emit(found: dict[str, Any]) -> None:
                if os.getpid() == own:
                    stream.write(json.dumps(found, default=repr) + "\n")
                    stream.flush()

            run_job(values, emit)
        status = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _watch(pid: int, reader: int, seconds: float, memory: int) -> _Watched:
    """Wait for a process, reading what it prints, and end it when it goes beyond a limit."""
    watched = _Watched()
    deadline = time.monotonic() + seconds
    open_ = True
    while True:
        if open_:
            ready, _, _ = select.select([reader], [], [], _POLL_SECONDS)
            if ready:
                chunk = os.read(reader, 1 << 16)
                open_ = bool(chunk)
                watched.flooded += len(chunk)
                watched.output = (watched.output + chunk)[-2 * _OUTPUT_KEPT :]
        else:
            time.sleep(_POLL_SECONDS)
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            if os.WIFSIGNALED(status):
                number = os.WTERMSIG(status)
                watched.ended = f"was killed by signal {number} ({signal.strsignal(number)})"
            elif os.WEXITSTATUS(status):
                watched.ended = f"ended with status {os.WEXITSTATUS(status)}"
            break
        size = resident_bytes(pid)
        watched.peak = max(watched.peak, size)
        if size > memory:
            watched.ended = f"needed more than {memory / 2**30:.1f} GiB of memory"
        elif time.monotonic() > deadline:
            watched.ended = f"did not end within {seconds:.0f} s"
        if watched.ended:
            break
    return watched


def _end(pid: int) -> None:
    """End a job and whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def resident_bytes(pid: int) -> int:
    """The resident size of a process; 0 where that cannot be told."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    if Path("/proc/self/statm").exists():
        # The process has just ended.
        return 0
    try:
        found = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return int(found.stdout.strip() or 0) * 1024
    except (OSError, ValueError):
        return 0
