"""The parent's side: from reports to jobs, one child at a time, and back to verdicts.

Nothing of the user's code is run in this process, and JAX is not imported.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.diagnostics import Diagnostic, TracedFunctionReport
from jitlint.verify.case_files import cases_of
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.modules import module_of
from jitlint.verify.driving.verdicts import INCONCLUSIVE, Verdict, Verified, stronger
from jitlint.verify.recorded import Recording
from jitlint.verify.recording.records import Report

#: shown while it runs: jobs done, jobs in all, the file at hand
Progress = Callable[[int, int, str], None]

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_BYTES = 8 * 2**30
#: starting Python and JAX on a busy machine
START_SECONDS = 120.0
#: each may need half a GiB and more
_MOST_AT_ONCE = 8
_PLATFORMS = ("cpu", "gpu", "tpu")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to verify, and how.

    Args:
      root: the project's root.
      files: the project's files.
      reports: what ``check`` says and is to be verified.
      everything: all that ``check`` says, mild reports too.
      platforms: the backends; None takes those that JAX sees.
      seconds: the time that one module may take on one backend.
      memory_bytes: the resident size that its process may reach.
      cases: a file with example calls.
      traced: the traced functions of the project.
      programs: whether the verdicts are to hold the jaxprs, too.
      also: modules to run although nothing is reported in them, to see what was missed.
      recorded: run the tests that reach the reports, as a recording has them, and nothing else.
    """

    root: Path
    files: Sequence[Path]
    reports: Sequence[Diagnostic]
    everything: Sequence[Diagnostic]
    platforms: Sequence[str] | None = None
    seconds: float = DEFAULT_SECONDS
    memory_bytes: int = DEFAULT_MEMORY_BYTES
    cases: Path | None = None
    traced: Sequence[TracedFunctionReport] = ()
    programs: bool = False
    also: Sequence[Path] = ()
    recorded: Recording | None = None


def verify(plan: Plan, progress: Progress | None = None) -> Verified:
    """Run what the reports concern, and give each report its verdicts.

    Args:
      plan: what to verify.
      progress: told of each module.

    Returns:
      The reports with their verdicts, in the order of the plan.
    """
    return verify_all([plan], progress)


def verify_all(plans: Sequence[Plan], progress: Progress | None = None) -> Verified:
    """Verify several projects, with JAX started once for all of them.

    Args:
      plans: what to verify of each project; the backends are those of the first one.
      progress: told of each module.

    Returns:
      The reports with their verdicts, in the order of the plans.
    """
    start = time.monotonic()
    result = Verified(functions=len({place for plan in plans for place in _functions(plan)}))
    verdicts: dict[tuple[int, str], Verdict] = {}
    temporary = tempfile.TemporaryDirectory(prefix="jitlint-verify-", ignore_cleanup_errors=True)
    with _ended_by_signals(), temporary as scratch:
        folder = Path(scratch)
        platforms = plans[0].platforms or _platforms(folder, result)
        jobs: list[Job] = []
        for platform in platforms:
            first = 0
            for plan in plans:
                jobs += _jobs(plan, platform, folder, first)
                first += len(plan.reports)
        talk = _Conversation(result, verdicts, len(jobs), progress)
        talk.run(jobs, folder, _processors())
    for number, diagnostic in enumerate(d for plan in plans for d in plan.reports):
        entry = dict(diagnostic.to_json())
        entry["verdicts"] = [
            verdicts[number, platform].to_json()
            for platform in platforms
            if (number, platform) in verdicts
        ]
        result.reports.append(entry)
    result.seconds = time.monotonic() - start
    return result


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a request to end be an exception, so that nothing is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    wanted = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(number, end) for number in wanted]
    try:
        yield
    finally:
        for number, handler in zip(wanted, before, strict=True):
            signal.signal(number, handler)


def _jobs(plan: Plan, platform: str, folder: Path, first: int) -> Iterable[Job]:
    by_file: dict[str, list[int]] = {}
    for number, diagnostic in enumerate(plan.reports, first):
        by_file.setdefault(diagnostic.filename, []).append(number)
    beside = {name: cases_of(Path(name), plan.root) for name in by_file}
    beside |= {str(path): cases_of(path, plan.root) for path in plan.also}
    for path in plan.also:
        # Example calls are run with the module that they belong to.
        if path not in beside.values():
            by_file.setdefault(str(path), [])
    files = [str(path) for path in plan.files]
    reports = [_report(number, item) for number, item in enumerate(plan.reports, first)]
    everything = [(d.filename, d.location.row, d.end_location.row) for d in plan.everything]
    for filename, numbers in by_file.items():
        name, roots = module_of(Path(filename), plan.root)
        yield Job(
            filename=filename,
            name=name,
            paths=[str(path) for path in roots],
            files=files,
            reports=reports,
            own=frozenset(numbers),
            everything=everything,
            traced=_functions(plan),
            statics={
                t.qualname: [n for n, k in t.parameters.items() if k == "static"]
                for t in plan.traced
                if t.filename == filename
            },
            platform=platform,
            seconds=plan.seconds,
            memory_bytes=plan.memory_bytes,
            cases=[
                str(path.resolve()) for path in (plan.cases, beside[filename]) if path is not None
            ],
            cache=str(folder / f"compiled-{platform}"),
            programs=plan.programs,
            audit=bool(plan.also),
            jobs=frozenset(by_file),
            recorded=_recorded(plan, numbers, first),
        )


def _recorded(plan: Plan, numbers: Iterable[int], first: int) -> list[str] | None:
    """The tests that reach some reports, each once; None where all is tried that there is."""
    if plan.recorded is None:
        return None
    tests = [
        name
        for number in numbers
        for name in plan.recorded.tests_of(plan.reports[number - first].fingerprint)
    ]
    return list(dict.fromkeys(tests))


def _functions(plan: Plan) -> list[tuple[str, int]]:
    """Where the traced functions stand, but for those that are one expression."""
    return [(t.filename, t.row) for t in plan.traced if not t.qualname.endswith("<lambda>")]


def _report(number: int, diagnostic: Diagnostic) -> Report:
    start, end = diagnostic.location, diagnostic.end_location
    hazard = diagnostic.hazard
    return Report(
        number,
        diagnostic.code,
        "" if hazard is None else hazard.kind,
        () if hazard is None else tuple(hazard.exceptions),
        diagnostic.filename,
        (start.row, start.column, end.row, end.column),
        diagnostic.function,
        tuple((step.filename, step.row) for step in diagnostic.trace),
    )


def _processors() -> int:
    """How many jobs run at once; each compiles on all cores that it finds free."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), _MOST_AT_ONCE)
    return min(os.cpu_count() or 1, _MOST_AT_ONCE)


def child_environment() -> dict[str, str]:
    """The environment of a process that imports JAX, and jitlint from where this one has it."""
    environment = dict(os.environ)
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    # No window may open, and no plot wait to be closed.
    environment.setdefault("MPLBACKEND", "Agg")
    home = str(Path(__file__).resolve().parents[2])
    known = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = home if not known else os.pathsep.join((home, known))
    return environment


def _platforms(folder: Path, result: Verified) -> list[str]:
    """The backends that JAX sees: the CPU always, others where there are some."""
    program = "import jax\nprint(' '.join(sorted({d.platform for d in jax.devices()})))\n"
    environment = child_environment()
    chosen = environment.get("JAX_PLATFORMS")
    if chosen:
        return [{"cuda": "gpu", "rocm": "gpu"}.get(p, p) for p in chosen.split(",") if p]
    try:
        found = subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        result.failures.append("asking JAX for its devices takes too long: only the CPU is used")
        return ["cpu"]
    seen = [name for name in found.stdout.split() if name in _PLATFORMS]
    return ["cpu", *(name for name in seen if name != "cpu")]


class _Conversation:
    """What the children have said so far, and what follows from it.

    Args:
      result: where it goes.
      verdicts: where the verdicts go, by report and backend.
      total: how many jobs there are.
      progress: told of each job that starts.
    """

    def __init__(
        self,
        result: Verified,
        verdicts: dict[tuple[int, str], Verdict],
        total: int,
        progress: Progress | None,
    ) -> None:
        self._result = result
        self._verdicts = verdicts
        self._total = total
        self._progress = progress
        self._done = 0
        self._ran: set[tuple[str, int]] = set()

    def run(self, jobs: Sequence[Job], folder: Path, at_once: int) -> None:
        """Run jobs in children.

        Args:
          jobs: the jobs.
          folder: for temporary files.
          at_once: how many may run at the same time.
        """
        left = list(jobs)
        while left:
            ended, begun, reason = self._serve(left, folder, at_once)
            rest = [job for number, job in enumerate(left) if number not in ended]
            if not rest:
                return
            if not begun:
                # Without JAX, no other job can do better.
                for job in rest:
                    self._finish(job, _ending(f"could not be started: {reason}"), {}, {})
                return
            suspects = [left[number] for number in begun]
            if len(suspects) > 1:
                # One of them has ended the server: each alone, to see which.
                for job in suspects:
                    self.run([job], folder, 1)
            else:
                ended_all = f"has ended the process that started it: {reason}"
                self._finish(suspects[0], _ending(ended_all), {}, {})
            left = [job for job in rest if job not in suspects]

    def _serve(
        self, jobs: Sequence[Job], folder: Path, at_once: int
    ) -> tuple[set[int], list[int], str]:
        """Start a server for some jobs, and take in what it says.

        Returns:
          The jobs that have ended, those that were running when the server ended, and its last
          words.
        """
        listing = folder / "jobs.json"
        written = {"jobs": [job.to_json() for job in jobs], "at_once": at_once}
        listing.write_text(json.dumps(written), encoding="utf-8")
        ended: set[int] = set()
        begun: dict[int, dict[int, Any]] = {}
        states: dict[int, dict[str, Any]] = {}
        fatal = ""
        with (folder / "errors").open("w+", encoding="utf-8", errors="replace") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "jitlint.verify.drive", str(listing)],
                cwd=folder,
                env=child_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                # What a job does to the group of a process above it must not end this one.
                start_new_session=True,
            )
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    values = json.loads(line)
                    if "begin" in values:
                        number = values["begin"]
                        begun[number], states[number] = {}, {}
                        if self._progress is not None:
                            self._progress(self._done, self._total, jobs[number].filename)
                    elif "end" in values:
                        number = values["end"]
                        self._finish(jobs[number], values, begun.pop(number), states.pop(number))
                        ended.add(number)
                    elif "fatal" in values:
                        fatal = values["fatal"]
                        self._result.failures.append(fatal)
                    else:
                        number = values["of"]
                        self._take(values, jobs[number], begun[number], states[number])
            finally:
                # It ends the jobs that run before it ends itself.
                process.terminate()
                try:
                    process.wait(timeout=10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                process.stdout.close()
            errors.seek(0)
            tail = errors.read()[-400:].strip().splitlines()
        return ended, list(begun), fatal or (tail or ["?"])[-1]

    def _take(
        self,
        values: Mapping[str, Any],
        job: Job,
        found: dict[int, Any],
        state: dict[str, Any],
    ) -> None:
        if "verdict" in values:
            found[values["report"]] = values["verdict"]
            key = (values["report"], job.platform)
            made = Verdict.from_json(values["verdict"])
            self._verdicts[key] = stronger(self._verdicts.get(key), made)
        elif "missed" in values:
            if values["missed"] not in self._result.missed:
                self._result.missed.append(values["missed"])
        elif "ran" in values:
            self._ran |= {(filename, row) for filename, row in values["ran"]}
            self._result.functions_run = len(self._ran)
        elif "start" in values:
            state["at"] = values["start"]
        elif "not_run" in values:
            self._not_run(job, values["not_run"])
        elif "failure" in values:
            self._result.failures.append(values["failure"])
        elif "jax" in values:
            self._result.jax = values["jax"]
            for device in values["devices"]:
                if device not in self._result.devices:
                    self._result.devices.append(device)

    def _finish(
        self,
        job: Job,
        ending: Mapping[str, Any],
        found: Mapping[int, Any],
        state: Mapping[str, Any],
    ) -> None:
        self._done += 1
        self._result.peak_bytes = max(self._result.peak_bytes, ending["peak_bytes"])
        reason = ""
        if not ending["done"]:
            reason = f"the process {ending['ended']}"
            if state.get("at"):
                reason += f" in {state['at']}"
            self._not_run(job, reason)
        for number in job.own:
            key = (number, job.platform)
            if number not in found:
                evidence = {"summary": reason or "nothing was said of it"}
                if ending["output"]:
                    evidence["output"] = ending["output"]
                unknown = Verdict(job.platform, INCONCLUSIVE, evidence)
                self._verdicts[key] = stronger(self._verdicts.get(key), unknown)

    def _not_run(self, job: Job, reason: str) -> None:
        line = f"{job.filename} ({job.platform}): {reason}"
        self._result.failures.append(line)
        if job.own:
            self._result.not_run.append(line)


def _ending(words: str) -> dict[str, Any]:
    return {"done": False, "ended": words, "peak_bytes": 0, "output": ""}
