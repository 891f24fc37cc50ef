"""One process for each job, held to its limits: time, memory, output.

Three kinds of processes, each forked from the one before:

- the *server* has imported JAX, once for all jobs, and runs none of the user's code;
- a *supervisor* for each job watches it, ends it when it goes beyond a limit, and in any case ends
  whatever it leaves behind;
- the *job* runs the user's code.  What it does to its parent costs the job only.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

_POLL_SECONDS = 0.05
#: how much of what a job prints is kept, from its end
_OUTPUT_KEPT = 2000
#: how much of its last line says why it has ended
_WORDS_KEPT = 160
#: beyond the job's own limit, which it keeps by itself unless it hangs in compiled code
_GRACE_SECONDS = 15.0
#: how long ending what a job has left behind may take
_SWEEP_SECONDS = 5.0
#: they run no code of a user, and start no thread, when they are imported
JAX_PACKAGES = frozenset({"jax", "jaxlib", "numpy", "scipy", "ml_dtypes", "opt_einsum"})
#: of ``prctl`` on Linux
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36

RunJob = Callable[[dict[str, Any], Callable[[dict[str, Any]], None]], None]


@dataclass
class _Watched:
    """What is known of a running job."""

    output: bytes = b""
    peak: int = 0
    ended: str = ""


@dataclass
class _Running:
    """A job whose supervisor runs."""

    number: int
    platform: str
    own: frozenset[int]
    scratch: tempfile.TemporaryDirectory[str]
    results: Path
    ending: Path


@dataclass
class _Server:
    """Does jobs, as many at once as it may.

    Args:
      folder: for temporary files.
      run_job: does one, in a process of its own.
      at_once: how many jobs may run on the CPU; on an accelerator it is always one.
    """

    folder: Path
    run_job: RunJob
    at_once: int
    running: dict[int, _Running] = field(default_factory=dict)
    confirmed: set[tuple[str, int]] = field(default_factory=set)

    def serve(self, jobs: list[dict[str, Any]]) -> None:
        """Do all jobs, and tell of each when it has ended."""
        waiting = list(enumerate(jobs))
        try:
            while waiting or self.running:
                place = next((i for i, (_, v) in enumerate(waiting) if self._room(v)), None)
                if place is not None:
                    self._begin(*waiting.pop(place))
                else:
                    self._wait()
        finally:
            for pid in self.running:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
            for pid in self.running:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
            sweep()

    def _room(self, values: dict[str, Any]) -> bool:
        if len(self.running) >= self.at_once:
            return False
        platform = values["platform"]
        return platform == "cpu" or all(r.platform != platform for r in self.running.values())

    def _begin(self, number: int, values: dict[str, Any]) -> None:
        platform = values["platform"]
        settled = [n for n in values["own"] if (platform, n) in self.confirmed]
        _send({"begin": number})
        if values["own"] and len(settled) == len(values["own"]):
            # Other jobs have confirmed everything that this one is about.
            _send({"end": number, "done": True, "ended": "", "peak_bytes": 0, "output": ""})
            return
        running = _Running(
            number,
            platform,
            frozenset(values["own"]),
            tempfile.TemporaryDirectory(prefix="job-", dir=self.folder, ignore_cleanup_errors=True),
            self.folder / f"results-{number}",
            self.folder / f"ending-{number}",
        )
        pid = os.fork()
        if pid == 0:
            _supervise({**values, "settled": settled}, running, self.run_job)
        self.running[pid] = running

    def _wait(self) -> None:
        pid, _ = os.wait()
        job = self.running.pop(pid, None)
        if job is None:
            # Left behind by a job that has ended its supervisor.
            return
        done = False
        for found in _found(job.results):
            if "loaded" in found:
                _load(found["loaded"])
                continue
            done = done or "done" in found
            verdict = found.get("verdict")
            if isinstance(verdict, dict) and verdict.get("verdict") == "confirmed":
                self.confirmed.add((job.platform, found["report"]))
            _send({"of": job.number, **found})
        endings = [*_found(job.ending)]
        if endings:
            ending = endings[0]
        else:
            # Nobody else knows what the job has started; supervisors that live keep their own.
            sweep(self.running)
            ending = {"ended": "has ended the process that watched it"}
        ending = {"ended": "", "peak_bytes": 0, "output": "", **ending}
        if not done and not ending["ended"]:
            ending["ended"] = "ended before it was done"
        _send({"end": job.number, "done": done, **ending})
        for path in (job.results, job.ending):
            path.unlink(missing_ok=True)
        job.scratch.cleanup()


def serve(listing: Path, run_job: RunJob) -> int:
    """Do the jobs of a file.

    Args:
      listing: a JSON object: the list ``jobs``, and how many may run ``at_once``.
      run_job: does one, in a process of its own, and sends what it finds.

    Returns:
      0; 2 where processes cannot be forked.
    """
    if not hasattr(os, "fork"):
        _send({"fatal": "verify needs a platform that can fork: Linux or macOS"})
        return 2
    # Whoever ends this process ends the jobs that it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _control(_SET_SUBREAPER, 1)
    # In a session of its own, it hears nothing of the terminal's end but from its parent.
    _control(_SET_DEATH_SIGNAL, signal.SIGTERM)
    values = json.loads(listing.read_text(encoding="utf-8"))
    _Server(listing.parent, run_job, values["at_once"]).serve(values["jobs"])
    return 0


def _load(names: Any) -> None:
    """Import what a job has needed of JAX, so that no other job has to."""
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and name.partition(".")[0] in JAX_PACKAGES:
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def _send(values: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def _found(path: Path) -> Iterator[dict[str, Any]]:
    """The objects in a file of lines, among which the user's code may have written others."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        with contextlib.suppress(json.JSONDecodeError, RecursionError):
            values = json.loads(line)
            if isinstance(values, dict) and _well_formed(values):
                yield values


def _well_formed(values: dict[str, Any]) -> bool:
    if "verdict" in values:
        known = {"backend", "verdict", "evidence", "inputs"}
        verdict = values["verdict"]
        return isinstance(values.get("report"), int) and (
            isinstance(verdict, dict) and set(verdict) == known
        )
    return True


# ---------------------------------------------------------------- the supervisor


def _supervise(values: dict[str, Any], running: _Running, run_job: RunJob) -> NoReturn:
    """The life of a supervisor."""
    status = 1
    try:
        # A job that ends the group of its parent ends this process, and nothing above it.
        os.setsid()
        _control(_SET_SUBREAPER, 1)
        _control(_SET_DEATH_SIGNAL, signal.SIGTERM)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        watched = _run(values, running, run_job)
        ending = {
            "ended": watched.ended,
            "peak_bytes": watched.peak,
            "output": watched.output.decode(errors="replace").strip()[-_OUTPUT_KEPT:],
        }
        running.ending.write_text(json.dumps(ending), encoding="utf-8")
        status = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(status)


def _run(values: dict[str, Any], running: _Running, run_job: RunJob) -> _Watched:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _become(values, Path(running.scratch.name), running.results, run_job, writer)
    os.close(writer)
    try:
        return _watch(pid, reader, values["seconds"] + _GRACE_SECONDS, values["memory_bytes"])
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
            if os.WIFSIGNALED(status):
                number = os.WTERMSIG(status)
                watched.ended = f"was killed by signal {number} ({signal.strsignal(number)})"
            elif os.WEXITSTATUS(status):
                watched.ended = f"ended with status {os.WEXITSTATUS(status)}"
                last = watched.output.decode(errors="replace").strip().splitlines()[-1:]
                watched.ended += "".join(f" ({line[:_WORDS_KEPT]})" for line in last)
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
    sweep()


def sweep(spared: dict[int, Any] | None = None) -> None:
    """End the children of this process, and theirs, wherever the system tells which those are.

    A process that has left its group and lost its parent becomes a child of the supervisor, on
    Linux; elsewhere only the job's group can be ended.

    Args:
      spared: the children that are to live on.
    """
    deadline = time.monotonic() + _SWEEP_SECONDS
    while time.monotonic() < deadline:
        strays = [pid for pid in _children(os.getpid()) if pid not in (spared or {})]
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The command's name, in parentheses, may hold anything.
            after = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if int(after[1]) == parent:
                found.append(int(entry.name))
    return found


def _control(option: int, value: int) -> None:
    """Call ``prctl``, where there is one: what it does makes things safer, and no more."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# ---------------------------------------------------------------- the job


def _become(
    values: dict[str, Any], scratch: Path, results: Path, run_job: RunJob, writer: int
) -> NoReturn:
    """The rest of the life of the process that runs the user's code."""
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
        with contextlib.suppress(OSError):
            # Where memory runs out before the limit is reached, this process is to go first.
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        run_job(values, _emitter(results))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _emitter(results: Path) -> Callable[[dict[str, Any]], None]:
    """Sends what a job finds: by a file that is opened each time.

    The user's code may close every file of its process, write to them, or put functions of its own
    in the place of those that are used here.
    """
    path, dumps, own = str(results), json.dumps, os.getpid()
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    open_, write, close, current = os.open, os.write, os.close, os.getpid

    def emit(found: dict[str, Any]) -> None:
        # A process that the user's code has forked has nothing to say.
        if current() == own:
            descriptor = open_(path, flags, 0o600)
            write(descriptor, f"\n{dumps(found, default=repr)}\n".encode())
            close(descriptor)

    return emit


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
