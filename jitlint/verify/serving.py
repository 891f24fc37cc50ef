"""One process for each job, held to its limits: time, memory, output, and what it may change.

Three kinds of processes, each forked from the one before:

- the *server* has imported JAX, once for all jobs, and runs none of the user's code;
- a *supervisor* for each job gives it a copy of its project, watches it, ends it when it goes
  beyond a limit, and in any case ends whatever it leaves behind;
- the *job* runs the user's code.  What it does to its parent costs the job only.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jitlint.verify.containment import landlock
from jitlint.verify.containment.families import sweep
from jitlint.verify.containment.relocation import Relocation
from jitlint.verify.job_process import RunJob
from jitlint.verify.parentage import adopt_orphans, end_with_parent
from jitlint.verify.supervision import Assignment, supervise

#: how often it is looked whether a job has ended, and what is being tried
_POLL_SECONDS, _TELL_SECONDS = 0.02, 0.25
#: how much of the end of what a job has found is looked at for that
_TAIL_BYTES = 4096
#: they run no code of a user, and start no thread, when they are imported
JAX_PACKAGES = frozenset({"jax", "jaxlib", "numpy", "scipy", "ml_dtypes", "opt_einsum"})


@dataclass
class _Running:
    """A job whose supervisor runs."""

    number: int
    platform: str
    slot: int
    relocation: Relocation
    scratch: tempfile.TemporaryDirectory[str]
    results: Path
    ending: Path
    begun: float
    tries: str = ""


@dataclass
class _Server:
    """Does jobs, as many at once as it may.

    Args:
      folder: for temporary files.
      run_job: does one, in a process of its own.
      at_once: how many jobs may run on the CPU; on an accelerator it is always one.
      held: whether the system keeps a job from changing what lies outside its copy.
    """

    folder: Path
    run_job: RunJob
    at_once: int
    held: bool
    running: dict[int, _Running] = field(default_factory=dict)
    confirmed: set[tuple[str, int]] = field(default_factory=set)
    told: float = 0.0

    def serve(self, jobs: list[dict[str, Any]]) -> None:
        """Do all jobs, and tell of each when it has ended."""
        waiting = list(enumerate(jobs))
        try:
            while waiting or self.running:
                place = self._next(waiting)
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
            # Nobody may hear it any more.
            with contextlib.suppress(OSError):
                for job in self.running.values():
                    self._tell_found(job)

    def _next(self, waiting: list[tuple[int, dict[str, Any]]]) -> int | None:
        """The place of the job to be begun; those of accelerators first, with the CPU beside."""
        ready = [place for place, (_, values) in enumerate(waiting) if self._room(values)]
        return min(ready, key=lambda at: (waiting[at][1]["platform"] == "cpu", at), default=None)

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
        slot = min({*range(self.at_once)} - {job.slot for job in self.running.values()})
        original = values["original"]
        running = _Running(
            number,
            platform,
            slot,
            Relocation(original, str(self.folder / f"slot-{slot}" / _copy_name(values))),
            tempfile.TemporaryDirectory(prefix="job-", dir=self.folder, ignore_cleanup_errors=True),
            self.folder / f"results-{number}",
            self.folder / f"ending-{number}",
            time.monotonic(),
        )
        running.results.touch(mode=0o600)
        pid = os.fork()
        if pid == 0:
            assignment = Assignment(
                {**values, "settled": settled},
                running.relocation,
                self.folder / f"copied-{slot}-{Path(values['inventory']).stem}",
                Path(running.scratch.name),
                running.results,
                running.ending,
                self.held,
            )
            supervise(assignment, self.run_job)
        self.running[pid] = running

    def _wait(self) -> None:
        pid, _, used = os.wait4(-1, os.WNOHANG)
        while pid == 0:
            self._tell_tries()
            time.sleep(_POLL_SECONDS)
            pid, _, used = os.wait4(-1, os.WNOHANG)
        job = self.running.pop(pid, None)
        if job is None:
            # Left behind by a job that has ended its supervisor.
            return
        done = self._tell_found(job)
        endings = [*_found(job.ending)]
        if endings:
            ending = endings[0]
        else:
            # Nobody else knows what the job has started; supervisors that live keep their own.
            sweep(self.running)
            ending = {"ended": "has ended the process that watched it"}
        spent = {
            "seconds": round(time.monotonic() - job.begun, 2),
            "cpu_seconds": round(used.ru_utime + used.ru_stime, 2),
        }
        ending = {"ended": "", "peak_bytes": 0, "output": "", **ending, **spent}
        if not done and not ending["ended"]:
            ending["ended"] = "ended before it was done"
        _send({"end": job.number, "done": done, **job.relocation.back(ending)})
        for path in (job.results, job.ending):
            path.unlink(missing_ok=True)
        job.scratch.cleanup()

    def _tell_found(self, job: _Running) -> bool:
        """Tell what a job has found; whether it has come to its end."""
        done = False
        for found in _found(job.results):
            if "loaded" in found:
                _load(found["loaded"])
                continue
            done = done or "done" in found
            verdict = found.get("verdict")
            if isinstance(verdict, dict) and verdict.get("verdict") == "confirmed":
                self.confirmed.add((job.platform, found["report"]))
            _send({"of": job.number, **job.relocation.back(found)})
        return done

    def _tell_tries(self) -> None:
        """Tell what is being tried, now and then."""
        now = time.monotonic()
        if now - self.told < _TELL_SECONDS:
            return
        self.told = now
        for job in self.running.values():
            tries = _last_start(job.results)
            if tries and tries != job.tries:
                job.tries = tries
                _send({"of": job.number, "tries": tries})


def serve(listing: Path, run_job: RunJob) -> int:
    """Do the jobs of a file.

    Args:
      listing: a JSON object: the list ``jobs``, how many may run ``at_once``, and whether the
        system is to ``hold`` them to their copies.
      run_job: does one, in a process of its own, and sends what it finds.

    Returns:
      0; 2 where processes cannot be forked.
    """
    if not hasattr(os, "fork"):
        _send({"fatal": "verify needs a platform that can fork: Linux or macOS"})
        return 2
    # Whoever ends this process ends the jobs that it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    adopt_orphans()
    # In a session of its own, it hears nothing of the terminal's end but from its parent.
    end_with_parent()
    values = json.loads(listing.read_text(encoding="utf-8"))
    folder = listing.parent
    held = values["hold"] and landlock.works(folder)
    _send({"held": held})
    _Server(folder, run_job, values["at_once"], held).serve(values["jobs"])
    return 0


def _copy_name(values: dict[str, Any]) -> str:
    """The copy of a project, by a name of its own and then by that of its folder."""
    return f"{Path(values['inventory']).stem}{os.sep}{Path(values['original']).name}".rstrip(os.sep)


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


def _last_start(path: Path) -> str:
    """What a job has begun last, as far as the end of what it has written says so."""
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - _TAIL_BYTES, 0))
            lines = file.read().splitlines()
    except OSError:
        return ""
    for line in reversed(lines):
        with contextlib.suppress(ValueError, RecursionError):
            values = json.loads(line)
            if isinstance(values, dict) and isinstance(values.get("start"), str):
                return str(values["start"])
    return ""


def _well_formed(values: dict[str, Any]) -> bool:
    if "verdict" in values:
        known = {"backend", "verdict", "evidence", "inputs"}
        verdict = values["verdict"]
        return isinstance(values.get("report"), int) and (
            isinstance(verdict, dict) and set(verdict) == known
        )
    return True
