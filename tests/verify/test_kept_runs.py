"""What ``verify`` keeps of a module, and when it has to be run again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jitlint.cache.folder import CacheFolder
from jitlint.diagnostics import Diagnostic
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.verify.driving.job import Job
from jitlint.verify.jobs import jobs_of, keep_inventory
from jitlint.verify.kept_runs import KeptRuns
from jitlint.verify.plan import Plan

STEP = """\
import jax
from scaling import scale


@jax.jit
def step(x):
    if x.sum() > 0:
        return scale(x)
    return x
"""
SCALING = """\
import numpy as np


def scale(x):
    return np.sin(x)
"""


@dataclass
class Project:
    """A small project, and what is kept of its jobs."""

    root: Path

    def __post_init__(self) -> None:
        for name, text in {"step": STEP, "scaling": SCALING, "other": "x = 1\n"}.items():
            self.write(f"{name}.py", text)
        self.write("pyproject.toml", "[project]\nname = 'p'\n")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def reports(self) -> list[Diagnostic]:
        return [*run(Request(paths=(self.root,), isolated=True)).diagnostics]

    def jobs(self) -> tuple[list[Job], KeptRuns]:
        reports = self.reports()
        plan = Plan(
            root=self.root,
            files=sorted(self.root.glob("*.py")),
            reports=reports,
            everything=reports,
            platforms=["cpu"],
        )
        scratch = self.root.parent / "scratch"
        scratch.mkdir(exist_ok=True)
        inventory = keep_inventory(plan, scratch / "project.json")
        kept = KeptRuns(CacheFolder(self.root.parent / "cache"), reports)
        return [*jobs_of(plan, "cpu", scratch, 0, inventory)], kept

    def keep(self, word: str = "confirmed") -> None:
        """Have every job say that its reports have a verdict."""
        jobs, kept = self.jobs()
        for job in jobs:
            said = [{"report": number, "verdict": _verdict(word)} for number in sorted(job.own)]
            kept.keep(job, [*said, self.rests_on(job)], set())

    def depends(self, job: Job) -> list[str]:
        both = [str(self.root / "step.py"), str(self.root / "scaling.py")]
        return both if "step" in job.filename else both[1:]

    def rests_on(self, job: Job) -> dict[str, Any]:
        users = [str(self.root / "step.py")] if "scaling" in job.filename else []
        return {"depends": self.depends(job), "users": users}

    def known(self) -> list[str]:
        """The modules that need not be run."""
        jobs, kept = self.jobs()
        return [Path(jobs[place].filename).stem for place in sorted(kept.find_all(jobs))]


def _verdict(word: str) -> Mapping[str, Any]:
    return {"backend": "cpu", "verdict": word, "evidence": {"summary": ""}, "inputs": None}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "p").mkdir()
    return Project(tmp_path / "p")


def test_what_is_unchanged_is_known(project: Project) -> None:
    assert project.known() == []
    project.keep()
    assert project.known() == ["scaling", "step"]
    # What neither runs may change.
    project.write("other.py", "x = 2\n")
    assert project.known() == ["scaling", "step"]


def test_a_module_that_was_run_has_changed(project: Project) -> None:
    project.keep()
    project.write("step.py", STEP + "\n\ny = 1\n")
    assert project.known() == ["scaling"]
    project.write("step.py", STEP)
    project.write("scaling.py", SCALING + "\n\ny = 1\n")
    assert project.known() == []


def test_a_module_has_begun_to_import_it(project: Project) -> None:
    project.keep()
    project.write("other.py", "from scaling import scale\n")
    assert project.known() == ["step"]


def test_data_has_changed(project: Project) -> None:
    project.keep()
    project.write("table.csv", "1,2\n")
    assert project.known() == []


def test_something_is_reported_besides(project: Project) -> None:
    project.keep()
    project.write("scaling.py", SCALING.replace("np.sin(x)", "np.sin(x) + np.cos(x)"))
    assert project.known() == []


def test_what_is_not_sure_is_not_kept(project: Project) -> None:
    project.keep("inconclusive")
    assert project.known() == []


def test_a_job_that_others_had_settled_rests_on_them(project: Project) -> None:
    jobs, kept = project.jobs()
    scaling, step = sorted(jobs, key=lambda job: job.filename)
    said = [
        {"report": number, "verdict": _verdict("confirmed")}
        for number in sorted(step.own | scaling.own)
    ]
    kept.keep(step, [*said, project.rests_on(step)], set())
    kept.keep(scaling, [project.rests_on(scaling)], scaling.own)
    assert project.known() == ["scaling", "step"]
    project.write("step.py", STEP + "\n\ny = 1\n")
    assert project.known() == []


def test_broken_records_are_none(project: Project) -> None:
    project.keep()
    for path in (project.root.parent / "cache").rglob("verdicts-*.msgpack"):
        path.write_bytes(b"\x81\xa4data\x01")
    assert project.known() == []


@pytest.mark.jax
@pytest.mark.slow
def test_the_second_run_says_the_same(project: Project) -> None:
    first, second, third = (_verified(project, *more) for more in ((), (), ("--no-cache",)))
    assert first["reused"] == third["reused"] == 0
    assert second["reused"] == 2
    assert first["reports"] == second["reports"]
    assert first["jax"] == second["jax"]
    assert first["functions"] == second["functions"] == third["functions"]


def _verified(project: Project, *more: str) -> Any:
    command = [sys.executable, "-m", "jitlint", "verify", "--output-format", "json"]
    done = subprocess.run(
        [*command, "--platform", "cpu", *more, str(project.root)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)
