"""The child: import the user's module with markers, run it every way there is, and tell.

``python -m jitlint.verify.drive`` starts JAX once, reads where the jobs are, and forks a process
for each of them, so that whatever the user's code does to its process costs only that job.  It runs
the user's code; nothing else in jitlint does.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from jitlint.verify.asking import ask
from jitlint.verify.case_files import tagged
from jitlint.verify.driving import drivers
from jitlint.verify.driving.attempts import Attempts
from jitlint.verify.driving.auditing import Audit
from jitlint.verify.driving.calling.sources import users_of
from jitlint.verify.driving.devices import choose_backend, give_virtual_devices, wants_several
from jitlint.verify.driving.drivers import Code, Driver
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.judging import Emit, Judge
from jitlint.verify.driving.loading import Finder, Modules
from jitlint.verify.driving.modules import is_test_file
from jitlint.verify.driving.pytest_items import MOST_ITEMS, run_items
from jitlint.verify.driving.running import DRIVER_SECONDS, Runner
from jitlint.verify.driving.search import Search
from jitlint.verify.driving.time_limit import TimeUp, time_limit
from jitlint.verify.parentage import end_with_parent
from jitlint.verify.proving.job import ProofJob
from jitlint.verify.proving.trials import prove
from jitlint.verify.recording import dispatch, random_draws, substitution, truncation
from jitlint.verify.recording.exceptions import described
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report
from jitlint.verify.serving import JAX_PACKAGES, serve

#: which part of the time for one report inputs are searched: in a first turn, and in a second one
_SEARCH_PARTS = (0.2, 0.8)
#: how long an audit calls one function that no real call has run
_AUDIT_SECONDS = (2.0, 4.0)


class JobRun:
    """Everything that happens in the child for one job.

    Args:
      job: what to do.
      users: the project's files that import the module, the nearest first.
      devices: how many devices there are, if the code spreads over several.
      lack: what is missing for code that spreads over several devices, if something is.
      emit: sends an object to the parent.
    """

    def __init__(
        self, job: Job, users: Sequence[str], devices: int, lack: str | None, emit: Emit
    ) -> None:
        self.job = job
        self.users = users
        self.emit = emit
        self.recorder = Recorder(
            Places(job.reports), audit=cache(is_test_file) if job.audit else None
        )
        self.recorder.keeping_programs = job.programs
        self.modules = Modules(job, self.recorder)
        virtual = devices if job.platform == "cpu" else 1
        self.judge = Judge(job, self.recorder, virtual, lack, emit)
        audit = Audit(job, self.recorder, emit)
        self.runner = Runner(job, self.recorder, self.judge, audit, emit, self.modules)
        self.attempts = Attempts()
        self.search = Search(
            job, self.modules, self.recorder, self.judge, self.runner, devices, self.attempts
        )

    def run(self) -> None:
        """Do the job."""
        self.recorder.clock.start()
        substitution.install(self.recorder)
        dispatch.install(self.recorder)
        if self.recorder.watches_clocks:
            self.recorder.stopwatch.install()
        truncation.install(self.recorder)
        if self.recorder.watches_draws:
            random_draws.install(self.recorder)
        sys.meta_path.insert(0, Finder(self.modules))
        sys.path[:] = [*self.job.paths, *map(self.modules.copied, sys.path)]
        sys.argv = [self.job.filename]
        reason = self.import_module()
        if self.job.recorded is None:
            self.run_all()
        elif self.job.recorded:
            names = [f"{filename}::{inner}" for filename, inner in self.job.recorded]
            self.run_tests(names, chosen=True)
        self.judge.conclude(reason, self.attempts)
        self.emit({"ran": self.ran()})
        self.emit({"depends": self.depends(), "users": [*self.users]})
        self.emit({"done": True})

    def run_all(self) -> None:
        """Run what the user's code gives, and then what can be made up."""
        for driver in self.real_drivers():
            settled = self.judge.own and self.judge.is_settled()
            if self.judge.out_of_time() or (settled and not self.job.audit):
                break
            runs = self.runner.execute(driver)
            if driver.innocent and runs.traced[0].error is not None:
                self.emit({"failure": f"{driver.name}: {runs.traced[0].error}"})
        self.run_fixture_tests()
        # A short turn for each first, so that one hard case does not take the time of all others.
        for turn, part in enumerate(_SEARCH_PARTS):
            seconds = part * self.job.search_seconds
            for report in self.judge.own:
                if seconds and self.judge.wants_search(report):
                    self.search.search(report, seconds, grow=turn > 0)
        if self.job.audit:
            self.call_the_rest()

    def call_the_rest(self) -> None:
        """Call the traced functions that nothing has run, with inputs that are made up."""
        rows = [row for filename, row in self.job.traced if filename == self.job.filename]
        ran = {tuple(place) for place in self.ran()}
        for turn, seconds in enumerate(_AUDIT_SECONDS):
            for row in rows:
                if (self.job.filename, row) in ran or self.judge.out_of_time():
                    continue
                span = (row, 1, row, 1)
                self.search.search(
                    Report(-1, "", "", (), self.job.filename, span, None, suspected=True),
                    seconds,
                    grow=turn > 0,
                )

    def ran(self) -> list[tuple[str, int]]:
        """The functions known to be traced that were run."""
        bodies = {
            (filename, row): {statement.lineno for statement in node.body}
            for filename, tree in self.modules.trees.items()
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for row in {node.lineno, *(d.lineno for d in node.decorator_list)}
        }
        return [
            (filename, row)
            for filename, row in self.job.traced
            if any((filename, r) in self.recorder.visited for r in bodies.get((filename, row), ()))
        ]

    def depends(self) -> list[str]:
        """The project's Python that was run, or read to know what to run."""
        inside = f"{self.job.copy}{os.sep}"
        loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        read = [self.job.filename, *self.job.cases, *self.users, *self.modules.trees]
        return sorted({str(name) for name in [*loaded, *read] if str(name).startswith(inside)})

    def import_module(self) -> str | None:
        """Import the module, which is a run of its own; the reason if that fails."""
        reasons: list[str | None] = []

        def load(turn: int) -> None:
            self.modules.forget()
            reasons.append(self.modules.load(self.job.name, self.job.filename))

        doing = "importing the module" if self.job.program is None else "running it in order"
        known = None if self.job.program is not None else Code(self.job.name, "")
        runs = self.runner.execute(Driver(doing, load, code=lambda turn: known, program=True))
        self.judge.imported = runs.traced[0]
        real_jax().clear_caches()
        if any(run.substituted for run in runs.traced) or len(reasons) > 1:
            load(0)
        return reasons[0] if reasons else f"{doing} takes too long"

    def real_drivers(self) -> Iterator[Driver]:
        """The ways to run the module that the user's code gives."""
        module = self.modules.imported.get(self.job.filename)
        if module is None:
            return
        for filename in self.job.cases:
            yield from self.cases_file(filename)
        yield from drivers.explicit(module, Path(self.job.filename).name)
        yield from self.examples(module, self.job.filename)
        if is_test_file(self.job.filename):
            yield from drivers.tests(module)
        for filename in self.users:
            if filename in self.job.jobs and self.judge.is_settled():
                # What it runs is run for its own sake.
                continue
            other = self.modules.other(filename)
            if other is None:
                continue
            if is_test_file(filename):
                yield from drivers.tests(other)
            else:
                yield from self.examples(other, filename)

    def examples(self, module: ModuleType, filename: str) -> Iterator[Driver]:
        """The doctests of a module, and what it does when it is run as a program."""
        yield from drivers.doctests(module)
        yield from drivers.main_block(self.modules.trees[filename], module, filename)

    def cases_file(self, filename: str) -> Iterator[Driver]:
        """The example calls of a separate file."""
        where = Path(filename).name
        module = ModuleType("jitlint_cases")
        module.__file__ = filename
        self.modules.prepare(module, filename)
        try:
            # With markers: what a call leaves behind is to be seen before the next statement.
            exec(self.modules.compile(filename), vars(module))
        except Exception as error:
            self.emit({"failure": f"the cases in {filename} raise {described(error)}"})
            return
        yield from drivers.explicit(module, where)
        for name, call, innocent, expression in tagged(vars(module)):
            yield Driver(
                f"the case {name} of {where}",
                drivers.plain(call),
                innocent=innocent,
                code=drivers.of_file(filename, f"{expression}()"),
            )

    def run_fixture_tests(self) -> None:
        """Run the tests with fixtures that lead to the module, while a report is unsettled.

        Those of another file with a job of its own are run there, in an audit.
        """
        filenames = [name for name in self.users if is_test_file(name)]
        if self.job.audit:
            filenames = [n for n in [self.job.filename] if is_test_file(n)]
        if filenames and (self.judge.wants_more() or self.job.audit):
            self.run_tests(filenames)

    def run_tests(self, names: Sequence[str], *, chosen: bool = False) -> None:
        """Have pytest run tests: those with fixtures, or all where they were chosen."""

        def take(driver: Driver) -> bool:
            # A fixture that hangs must leave time for the other tests.
            seconds = min(self.judge.seconds_left() / 4, DRIVER_SECONDS)
            self.runner.execute(dataclasses.replace(driver, seconds=seconds))
            return self.judge.wants_more() or (self.job.audit and not self.judge.out_of_time())

        root = Path(self.job.root)
        try:
            # The first test to be run ends this alarm, which is for what collects them.
            with time_limit(min(DRIVER_SECONDS, max(self.judge.seconds_left(), 0.1))):
                most = None if self.job.audit else MOST_ITEMS
                reason = run_items(names, root, take, chosen=chosen, most=most)
        except KeyboardInterrupt:
            raise
        except TimeUp:
            reason = "its tests take too long under pytest: some were not run"
        except BaseException as error:
            reason = f"pytest fails: {described(error)}"
        if reason is not None:
            self.emit({"failure": f"{Path(self.job.filename).name}: {reason}"})


def run_job(job: Job, emit: Emit) -> None:
    """Do one job in this process, which must be a child made for it."""
    jax = real_jax()

    choose_backend(jax, job.platform, job.cache)
    known = frozenset(sys.modules)
    users = users_of(job.filename, sorted({*job.files, job.filename}), job.paths)
    explained = [name for r in job.reports if r.number in job.own for name, _ in r.chain]
    around = dict.fromkeys([job.filename, *explained, *users])
    spread = wants_several(around)
    several = job.platform == "cpu" and spread and give_virtual_devices(jax)
    devices = jax.devices(job.platform)
    lack = None
    if spread and job.platform != "cpu" and len(devices) == 1:
        lack = f"it is written for several devices, and there is one on {job.platform}"
    run = JobRun(job, users, len(devices) if spread else 1, lack, emit)
    names = [f"{device.platform}: {device.device_kind}" for device in devices]
    if several:
        names = [f"{names[0]} ({len(devices)} virtual devices, for code that spreads over several)"]
    emit({"jax": jax.__version__, "devices": names})
    try:
        run.run()
    finally:
        loaded = [n for n in sys.modules if n not in known and n.partition(".")[0] in JAX_PACKAGES]
        emit({"loaded": loaded})


def _do(values: dict[str, Any], emit: Emit) -> None:
    """Do one job, of whichever kind."""
    if "trials" in values:
        prove(ProofJob.from_json(values), emit)
    else:
        run_job(Job.from_json(values), emit)


def main() -> int:
    """The entry point: do the jobs of a file, each in a process of its own.

    What it reads says what to do: an empty line asks for the backends that JAX sees, any other
    names the file of jobs.

    Returns:
      0; 2 when JAX cannot be imported.
    """
    end_with_parent()
    try:
        real_jax()
    except Exception as error:
        words = f"jax cannot be imported: {error} (`pip install jitlint[verify]` installs it)"
        sys.stdout.write(json.dumps({"fatal": words}) + "\n")
        return 2
    for line in iter(sys.stdin.readline, ""):
        if line.strip():
            return serve(Path(line.rstrip("\n")), _do)
        sys.stdout.write(json.dumps(ask()) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
