"""The parent's side: from reports to jobs, one child at a time, and back to verdicts.

Nothing of the user's code is run in this process, and JAX is not imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.diagnostics import Diagnostic, TracedFunctionReport
from jitlint.verify.modules import module_of
from jitlint.verify.verdicts import INCONCLUSIVE, Verdict, Verified, stronger

#: shown while it runs: jobs done, jobs in all, the file at hand
Progress = Callable[[int, int, str], None]

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_BYTES = 8 * 2**30
#: starting Python and JAX on a busy machine
_START_SECONDS = 120.0
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


def verify(plan: Plan, progress: Progress | None = None) -> Verified:
    """Run what the reports concern, and give each report its verdicts.

    Args:
      plan: what to verify.
      progress: told of each module.

    Returns:
      The reports with their verdicts, in the order of the plan.
    """
    start = time.monotonic()
    result = Verified()
    verdicts: dict[tuple[int, str], Verdict] = {}
    with tempfile.TemporaryDirectory(prefix="jitlint-verify-") as scratch:
        folder = Path(scratch)
        platforms = plan.platforms or _platforms(folder, result)
        jobs = [job for p in platforms for job in _jobs(plan, p, folder)]
        left = jobs
        total, done = len(jobs), 0
        while left:
            finished = _run_jobs(left, folder, result, verdicts, done, total, progress)
            done += finished
            left = left[finished:]
    for number, diagnostic in enumerate(plan.reports):
        entry = dict(diagnostic.to_json())
        entry["verdicts"] = [
            verdicts[number, platform].to_json()
            for platform in platforms
            if (number, platform) in verdicts
        ]
        result.reports.append(entry)
    result.seconds = time.monotonic() - start
    return result


def _jobs(plan: Plan, platform: str, folder: Path) -> Iterable[dict[str, Any]]:
    by_file: dict[str, list[int]] = {}
    for number, diagnostic in enumerate(plan.reports):
        by_file.setdefault(diagnostic.filename, []).append(number)
    for path in plan.also:
        by_file.setdefault(str(path), [])
    files = [str(path) for path in plan.files]
    reports = [_report(number, item) for number, item in enumerate(plan.reports)]
    for filename, numbers in by_file.items():
        name, roots = module_of(Path(filename), plan.root)
        yield {
            "filename": filename,
            "name": name,
            "paths": [str(path) for path in roots],
            "files": files,
            "reports": reports,
            "own": numbers,
            "everything": [
                [d.filename, d.location.row, d.end_location.row] for d in plan.everything
            ],
            "platform": platform,
            "seconds": plan.seconds,
            "memory_bytes": plan.memory_bytes,
            "statics": {
                t.qualname: [n for n, k in t.parameters.items() if k == "static"]
                for t in plan.traced
                if t.filename == filename
            },
            "cases": None if plan.cases is None else str(plan.cases.resolve()),
            "programs": plan.programs,
            "cache": str(folder / f"compiled-{platform}"),
        }


def _report(number: int, diagnostic: Diagnostic) -> dict[str, Any]:
    start, end = diagnostic.location, diagnostic.end_location
    hazard = diagnostic.hazard
    return {
        "number": number,
        "code": diagnostic.code,
        "kind": "" if hazard is None else hazard.kind,
        "exceptions": [] if hazard is None else list(hazard.exceptions),
        "filename": diagnostic.filename,
        "span": [start.row, start.column, end.row, end.column],
        "function": diagnostic.function,
        "chain": [[step.filename, step.row] for step in diagnostic.trace],
    }


def _environment() -> dict[str, str]:
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
    environment = _environment()
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
            timeout=_START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        result.failures.append("asking JAX for its devices takes too long: only the CPU is used")
        return ["cpu"]
    seen = [name for name in found.stdout.split() if name in _PLATFORMS]
    return ["cpu", *(name for name in seen if name != "cpu")]


def _run_jobs(
    jobs: Sequence[Mapping[str, Any]],
    folder: Path,
    result: Verified,
    verdicts: dict[tuple[int, str], Verdict],
    before: int,
    total: int,
    progress: Progress | None,
) -> int:
    """Start a child for some jobs, take in what it says, and return how many are dealt with."""
    listing = folder / "jobs.json"
    listing.write_text(json.dumps(list(jobs)), encoding="utf-8")
    with (folder / "errors").open("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "jitlint.verify.drive", str(listing)],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        assert process.stdout is not None
        finished = 0
        found: dict[int, dict[str, Any]] = {}
        state: dict[str, Any] = {"at": None}
        try:
            for line in process.stdout:
                values = json.loads(line)
                if "job" in values:
                    found, state = {}, {"at": None}
                    if progress is not None:
                        progress(before + finished, total, jobs[finished]["filename"])
                elif "end" in values:
                    _finish(jobs[finished], values, found, state, result, verdicts)
                    finished += 1
                else:
                    _take(values, jobs[finished], found, verdicts, state, result)
        finally:
            # It ends the job that it watches before it ends itself.
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if finished < len(jobs):
            errors.seek(0)
            tail = errors.read()[-400:].strip().splitlines()
            values = {
                "done": False,
                "ended": f"could not be started: {state.get('fatal') or (tail or ['?'])[-1]}",
                "peak_bytes": 0,
                "output": "",
            }
            _finish(jobs[finished], values, found, state, result, verdicts)
            finished += 1
            if state.get("fatal"):
                # Without JAX no other job can do better.
                for job in jobs[finished:]:
                    _finish(job, values, {}, {}, result, verdicts)
                finished = len(jobs)
    return finished


def _take(
    values: Mapping[str, Any],
    job: Mapping[str, Any],
    found: dict[int, Any],
    verdicts: dict[tuple[int, str], Verdict],
    state: dict[str, Any],
    result: Verified,
) -> None:
    if "verdict" in values:
        found[values["report"]] = values["verdict"]
        key = (values["report"], job["platform"])
        verdicts[key] = stronger(verdicts.get(key), Verdict.from_json(values["verdict"]))
    elif "missed" in values:
        if values["missed"] not in result.missed:
            result.missed.append(values["missed"])
    elif "start" in values:
        state["at"] = values["start"]
    elif "fatal" in values:
        state["fatal"] = values["fatal"]
        result.failures.append(values["fatal"])
    elif "failure" in values:
        result.failures.append(values["failure"])
    elif "jax" in values:
        result.jax = values["jax"]
        for device in values["devices"]:
            if device not in result.devices:
                result.devices.append(device)


def _finish(
    job: Mapping[str, Any],
    ending: Mapping[str, Any],
    found: Mapping[int, Any],
    state: Mapping[str, Any],
    result: Verified,
    verdicts: dict[tuple[int, str], Verdict],
) -> None:
    result.peak_bytes = max(result.peak_bytes, ending["peak_bytes"])
    reason = ""
    if not ending["done"]:
        reason = f"the process {ending['ended']}"
        if state.get("at"):
            reason += f" in {state['at']}"
        result.failures.append(f"{job['filename']} ({job['platform']}): {reason}")
    for number in job["own"]:
        key = (number, job["platform"])
        if number not in found:
            evidence = {"summary": reason or "nothing was said of it"}
            if ending["output"]:
                evidence["output"] = ending["output"]
            unknown = Verdict(job["platform"], INCONCLUSIVE, evidence)
            verdicts[key] = stronger(verdicts.get(key), unknown)
