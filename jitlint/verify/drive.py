"""The child: import the user's module with markers, run it every way there is, and tell.

``python -m jitlint.verify.drive JOBS`` starts JAX once and forks a process for each job, so that
whatever the user's code does to its process costs only that job.  It runs the user's code; nothing
else in jitlint does.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from jitlint.verify import cases, oracles, substitution
from jitlint.verify.case_files import tagged
from jitlint.verify.devices import VIRTUAL_DEVICES, give_virtual_devices, wants_several
from jitlint.verify.inputs import OMITTED, PROFILES, Maker, Uses, argument_lists, uses_of
from jitlint.verify.instrument import NAME, Site, instrument, loop_rows
from jitlint.verify.modules import is_test_file, module_of
from jitlint.verify.observation import other_values
from jitlint.verify.probes import Choices, Probe, Raised, Recorder, Report, RunRecord
from jitlint.verify.processes import JAX_PACKAGES, serve
from jitlint.verify.pytest_items import run_items
from jitlint.verify.real_jax import real_jax
from jitlint.verify.verdicts import (
    CONFIRMED,
    INCONCLUSIVE,
    NOT_REACHED,
    REFUTED,
    Verdict,
    stronger,
)

_MOST_RUNS = 24
_MOST_TRIES = 40
_DRIVER_SECONDS = 20.0
_SEARCH_SECONDS = (4.0, 15.0)

Emit = Callable[[dict[str, Any]], None]


class _TimeUp(BaseException):
    """Ends a driver that takes too long; no handler for ``Exception`` catches it."""


@dataclass(frozen=True)
class Job:
    """One module to verify on one backend.

    Args:
      filename: the module's file.
      name: its dotted name.
      paths: the import roots.
      files: the project's files, which are run with markers.
      reports: what ``check`` said of the whole project, numbered.
      own: the numbers of those that the job is about; others are judged where they are met.
      platform: the backend.
      seconds: how long it may take.
      statics: of each traced function, by qualified name, its static parameters.
      everything: the files and rows of all reports, mild ones too; nothing there was missed.
      cases: files with example calls.
      cache: a folder for compiled programs.
      programs: send the jaxprs along.
      settled: the reports that other jobs have confirmed on this backend.
      audit: also what can add nothing to a verdict is run, to see what was missed.
      jobs: the modules that are run.
      traced: the files and rows of the functions that check knows to be traced.
    """

    filename: str
    name: str
    paths: tuple[str, ...]
    files: tuple[str, ...]
    reports: tuple[Report, ...]
    own: frozenset[int]
    platform: str
    seconds: float
    everything: tuple[tuple[str, int, int], ...] = ()
    statics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cases: tuple[str, ...] = ()
    cache: str | None = None
    programs: bool = False
    settled: frozenset[int] = frozenset()
    audit: bool = False
    jobs: frozenset[str] = frozenset()
    traced: tuple[tuple[str, int], ...] = ()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Job:
        """Read a job from its JSON object."""
        reports = tuple(
            Report(
                r["number"],
                r["code"],
                r["kind"],
                tuple(r["exceptions"]),
                r["filename"],
                tuple(r["span"]),
                r["function"],
                tuple((f, row) for f, row in r["chain"]),
            )
            for r in values["reports"]
        )
        return cls(
            values["filename"],
            values["name"],
            tuple(values["paths"]),
            tuple(values["files"]),
            reports,
            frozenset(values["own"]),
            values["platform"],
            values["seconds"],
            tuple((f, first, last) for f, first, last in values["everything"]),
            values["statics"],
            tuple(values["cases"]),
            values.get("cache"),
            values.get("programs", False),
            frozenset(values["settled"]),
            values["audit"],
            frozenset(values["jobs"]),
            tuple((f, row) for f, row in values["traced"]),
        )


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the project with markers."""

    def __init__(self, fullname: str, path: str, session: Session) -> None:
        super().__init__(fullname, path)
        self._session = session

    def get_code(self, fullname: str) -> Any:
        return self._session.compile(self.path)

    def exec_module(self, module: ModuleType) -> None:
        # Kept also when the import fails half-way: what it has defined by then can be run.
        self._session.modules[self.path] = module
        vars(module)[NAME] = Probe(self._session.recorder, self.path)
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the project's modules first."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self._session.files:
            return None
        assert spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin, self._session)
        return spec


class Session:
    """Everything that happens in the child for one job.

    Args:
      job: what to do.
      emit: sends an object to the parent.
    """

    def __init__(self, job: Job, emit: Emit) -> None:
        self.job = job
        self.emit = emit
        self.files = frozenset(job.files) | {job.filename}
        self.recorder = Recorder(job.reports)
        self.recorder.keeping_programs = job.programs
        self.own = [report for report in job.reports if report.number in job.own]
        self.modules: dict[str, ModuleType] = {}
        self.trees: dict[str, ast.Module] = {}
        self.marked: dict[str, frozenset[int]] = {}
        self.loops: dict[int, tuple[int, int]] = {}
        self.imported: RunRecord | None = None
        self.verdicts: dict[int, Verdict] = {}
        self.missed: dict[tuple[str, int, str], dict[str, Any]] = {}
        self.tried: set[tuple[str, int]] = set()
        self.deadline = time.monotonic() + job.seconds
        self.pid = os.getpid()
        #: how many devices were made of the CPU
        self.devices = 1

    # -- loading ----------------------------------------------------------------------------------

    def compile(self, filename: str) -> Any:
        """The code of a project file, with markers."""
        text = Path(filename).read_text(encoding="utf-8")
        sites = [Site(r.number, r.code, r.span) for r in self.job.reports if r.filename == filename]
        made = instrument(text, filename, sites)
        self.trees[filename] = made.tree
        self.recorder.lines[filename] = text.splitlines()
        self.recorder.guards[filename] = made.guards
        self.recorder.rows_of |= made.rows
        for report in self.job.reports:
            if report.filename == filename and report.kind in ("runs-once", "stale"):
                for row in made.rows[report.number]:
                    self.recorder.effect_rows[filename, row] = report.number
                    self.recorder.watched_rows.add((filename, row))
            if report.filename == filename and report.kind == "unrolls":
                rows = loop_rows(ast.parse(text), report.span[0])
                if rows is not None:
                    self.loops[report.number] = rows
                    self.recorder.watched_rows |= {(filename, row) for row in rows}
        self.recorder.located |= made.located
        self.marked[filename] = frozenset(
            node.lineno for node in ast.walk(made.tree) if isinstance(node, ast.stmt)
        )
        return compile(made.tree, filename, "exec")

    def load(self, name: str, filename: str) -> str | None:
        """Import a module; the reason, if that fails."""
        known = self.modules.get(filename)
        if known is not None:
            return None
        try:
            importlib.import_module(name)
        except _TimeUp:
            return "importing it takes too long"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            if isinstance(error, Exception):
                self.recorder.failed(error)
            self.harvest(error)
            return f"importing it raises {type(error).__name__}: {error}".splitlines()[0]
        return None

    def forget(self) -> None:
        """Forget the project's modules, so that they are imported anew."""
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) in self.files:
                del sys.modules[name]
        self.modules.clear()

    # -- running ----------------------------------------------------------------------------------

    def invoke(self, driver: cases.Driver, turn: int, *, eager: bool = False) -> RunRecord:
        """Run a driver once and give what was recorded."""
        jax = real_jax()

        run = self.recorder.begin(substituting=True, eager=eager)
        mode = jax.disable_jit() if eager else contextlib.nullcontext()
        limit = _DRIVER_SECONDS if driver.seconds is None else driver.seconds
        left = min(limit, self.deadline - time.monotonic())
        before = self.recorder.clock.read()
        try:
            with _time_limit(max(left, 0.1)), mode:
                result = driver.call(turn)
                if not run.substituted:
                    jax.block_until_ready([x for x in jax.tree.leaves(result) if _is_array(x)])
                jax.effects_barrier()
        except _TimeUp:
            run.error = "it takes too long"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            run.error = f"{type(error).__name__}: {error}".splitlines()[0]
            self.harvest(error)
            if isinstance(error, Exception):
                self.recorder.failed(error)
            error.__traceback__ = None
        if os.getpid() != self.pid:
            # The user's code forked: that process has no part in this.
            os._exit(0)
        self.recorder.settle()
        run.traces = self.recorder.clock.since(before)[0]
        return run

    def harvest(self, error: BaseException) -> None:
        """Remember the values of local names at the frames of an exception."""
        tb = error.__traceback__
        while tb is not None:
            if tb.tb_frame.f_code.co_filename in self.files:
                self.recorder.remember(tb.tb_frame)
            tb = tb.tb_next

    def execute(self, driver: cases.Driver) -> oracles.Runs:
        """Run a driver in every way that its sites need, and judge.

        A fault of jitlint's own, or an alarm that goes off late, costs this driver only.
        """
        runs = oracles.Runs(driver.name, driver.real)
        try:
            self._execute(driver, runs)
        except (Exception, _TimeUp) as error:
            if isinstance(error, Exception):
                told = f"{type(error).__name__}: {error}".splitlines()[0]
                self.emit({"failure": f"jitlint failed on {driver.name}: {told}"})
        if not runs.traced:
            runs.traced.append(RunRecord(error="it could not be run"))
        return runs

    def _execute(self, driver: cases.Driver, runs: oracles.Runs) -> None:
        jax = real_jax()

        self.emit({"start": driver.name})
        self.recorder.pooling = driver.real
        self.recorder.choices = Choices()
        dirty = False
        if any(r.code == "JIT112" and self.unsettled(r) for r in self.own):
            # What a condition comes to is only seen where it is traced.
            jax.clear_caches()
        for _ in range(_MOST_RUNS):
            run = self.invoke(driver, 0)
            runs.traced.append(run)
            dirty |= run.substituted
            if run.substituted:
                jax.clear_caches()
            if not run.substituted or not self.recorder.choices.advance() or self.out_of_time():
                break
            if self.own and not any(
                self.unsettled(r) and not _has_raised(r, runs) for r in self.own
            ):
                break
        met = [r for r in self.job.reports if r.filename in self.trees]
        touched = [r for r in met if self.unsettled(r) and self.touched(r, runs)]
        if any(r.kind in ("runs-once", "stale", "recompiles") for r in touched):
            jax.clear_caches()
            for turn in (0, 1, 2):
                self.recorder.choices = Choices()
                runs.repeated.append(self.invoke(driver, turn))
            dirty |= any(run.substituted for run in runs.repeated)
            self.judge(touched, runs)
            touched = [r for r in touched if self.unsettled(r)]
        if any(oracles.wants_eager(r, runs) for r in touched):
            self.recorder.choices = Choices()
            runs.eager = self.invoke(driver, 0, eager=True)
        if dirty:
            jax.clear_caches()
        self.judge(met, runs)
        if driver.real:
            self.look_for_missed(runs)

    def out_of_time(self) -> bool:
        """Whether the job's time is up."""
        return time.monotonic() > self.deadline

    def touched(self, report: Report, runs: oracles.Runs) -> bool:
        """Whether a run came to a reported place."""
        rows = self.recorder.rows_of.get(report.number, frozenset())
        return any(
            run.evaluated[report.number]
            or any(run.rows[report.filename, row] for row in rows)
            or any(r.report == report.number for r in run.raised)
            for run in runs.traced
        )

    # -- judging ----------------------------------------------------------------------------------

    def unsettled(self, report: Report) -> bool:
        """Whether a report still lacks its confirmation."""
        known = self.verdicts.get(report.number)
        return report.number not in self.job.settled and (
            known is None or known.verdict != CONFIRMED
        )

    def judge(self, reports: Sequence[Report], runs: oracles.Runs) -> None:
        """Judge reports by the runs of a driver, and send what is new."""
        places = oracles.Places(
            self.recorder.rows_of, self.recorder.located, self.marked, self.loops
        )
        for report in reports:
            found = oracles.judge(report, runs, places, self.imported)
            if found.verdict == NOT_REACHED:
                continue
            known = self.verdicts.get(report.number)
            evidence = dict(found.evidence)
            if self.devices > 1:
                evidence["virtual_devices"] = self.devices
            program = self.recorder.programs.get(report.number)
            if program is not None:
                evidence["jaxpr"] = program.text
                evidence["jaxpr_substituted"] = program.substituted
            verdict = Verdict(self.job.platform, found.verdict, evidence, runs.name)
            best = stronger(known, verdict)
            if best is not known:
                self.verdicts[report.number] = best
                self.emit({"report": report.number, "verdict": best.to_json()})

    def look_for_missed(self, runs: oracles.Runs) -> None:
        """List the faults of tracers on real paths that no report stands at."""
        for run in runs.traced:
            for raised in run.raised:
                if raised.report is not None or raised.substituted or not raised.by_tracer:
                    continue
                if raised.swallowed is not None or self._reported(raised):
                    continue
                key = (raised.filename, raised.span[0], raised.exception)
                if key in self.missed:
                    continue
                self.missed[key] = {
                    "filename": raised.filename,
                    "location": {"row": raised.span[0], "column": raised.span[1]},
                    "end_location": {"row": raised.span[2], "column": raised.span[3]},
                    "exception": raised.exception,
                    "message": raised.message,
                    "backend": self.job.platform,
                    "inputs": runs.name,
                }
                self.emit({"missed": self.missed[key]})

    def _reported(self, raised: Raised) -> bool:
        return any(
            filename == raised.filename and first <= raised.span[2] and raised.span[0] <= last
            for filename, first, last in self.job.everything
        )

    # -- the whole job ----------------------------------------------------------------------------

    def run(self) -> None:
        """Do the job."""
        self.recorder.clock.start()
        substitution.install(self.recorder)
        sys.meta_path.insert(0, _Finder(self))
        sys.path[:0] = list(self.job.paths)
        sys.argv = [self.job.filename]
        reason = self.import_driver()
        for driver in self.real_drivers():
            settled = self.own and not any(map(self.unsettled, self.own))
            if self.out_of_time() or (settled and not self.job.audit):
                break
            runs = self.execute(driver)
            if driver.innocent and runs.traced[0].error is not None:
                self.emit({"failure": f"{driver.name}: {runs.traced[0].error}"})
        self.run_fixture_tests()
        # A short turn for each first, so that one hard case does not take the time of all others.
        for seconds in _SEARCH_SECONDS:
            for report in self.own:
                if self.unsettled(report) and not self.out_of_time():
                    self.search(report, seconds)
        for report in self.own:
            if report.number not in self.verdicts and report.number not in self.job.settled:
                self.emit({"report": report.number, "verdict": self.no_verdict(reason).to_json()})
        self.emit({"ran": self.ran()})
        self.emit({"done": True})

    def ran(self) -> list[tuple[str, int]]:
        """The functions known to be traced that were run."""
        bodies = {
            (filename, row): {statement.lineno for statement in node.body}
            for filename, tree in self.trees.items()
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for row in {node.lineno, *(d.lineno for d in node.decorator_list)}
        }
        return [
            (filename, row)
            for filename, row in self.job.traced
            if any((filename, r) in self.recorder.visited for r in bodies.get((filename, row), ()))
        ]

    def no_verdict(self, reason: str | None) -> Verdict:
        """What is said of a report whose line never ran."""
        if reason is not None:
            return Verdict(self.job.platform, INCONCLUSIVE, {"summary": reason})
        if self.out_of_time():
            summary = f"not reached within {self.job.seconds:.0f} s"
            return Verdict(self.job.platform, INCONCLUSIVE, {"summary": summary})
        summary = "no inputs were found that reach the line"
        return Verdict(self.job.platform, NOT_REACHED, {"summary": summary})

    def import_driver(self) -> str | None:
        """Import the module, which is a run of its own; the reason if that fails."""
        jax = real_jax()

        reasons: list[str | None] = []

        def load(turn: int) -> None:
            self.forget()
            reasons.append(self.load(self.job.name, self.job.filename))

        driver = cases.Driver("importing the module", load)
        runs = self.execute(driver)
        self.imported = runs.traced[0]
        jax.clear_caches()
        if any(run.substituted for run in runs.traced) or len(reasons) > 1:
            load(0)
        return reasons[0] if reasons else "importing it takes too long"

    def real_drivers(self) -> Iterator[cases.Driver]:
        """The ways to run the module that the user's code gives."""
        module = self.modules.get(self.job.filename)
        if module is None:
            return
        name = Path(self.job.filename).name
        for filename in self.job.cases:
            yield from self.cases_file(filename)
        yield from cases.explicit(module, name)
        yield from cases.doctests(module)
        yield from cases.main_block(self.trees[self.job.filename], module, self.job.filename)
        if is_test_file(self.job.filename):
            yield from cases.tests(module)
        for filename in self.users():
            if filename in self.job.jobs and not any(map(self.unsettled, self.own)):
                # What it runs is run for its own sake.
                continue
            other = self.other_module(filename)
            if other is None:
                continue
            if is_test_file(filename):
                yield from cases.tests(other)
            else:
                yield from cases.doctests(other)
                yield from cases.main_block(self.trees[filename], other, filename)

    def run_fixture_tests(self) -> None:
        """Run the tests with fixtures that lead to the module, while a report is unsettled."""
        filenames = [name for name in self.users() if is_test_file(name)]
        if not filenames or not self._wants_more():
            return

        def take(driver: cases.Driver) -> bool:
            # A fixture that hangs must leave time for the other tests.
            left = self.deadline - time.monotonic()
            self.execute(dataclasses.replace(driver, seconds=min(left / 4, _DRIVER_SECONDS)))
            return self._wants_more()

        root = Path(self.job.paths[-1])
        try:
            # The first test to be run ends this alarm, which is for what collects them.
            with _time_limit(min(_DRIVER_SECONDS, self.deadline - time.monotonic())):
                reason = run_items(filenames, root, take)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            reason = f"pytest fails: {type(error).__name__}: {error}".splitlines()[0]
        if reason is not None:
            self.emit({"failure": f"{Path(self.job.filename).name}: {reason}"})

    def _wants_more(self) -> bool:
        """Whether further runs could say more."""
        return not self.out_of_time() and any(map(self.unsettled, self.own))

    def cases_file(self, filename: str) -> Iterator[cases.Driver]:
        """The example calls of a separate file."""
        where = Path(filename).name
        module = ModuleType("jitlint_cases")
        module.__file__ = filename
        vars(module)[NAME] = Probe(self.recorder, filename)
        try:
            # With markers: what a call leaves behind is to be seen before the next statement.
            exec(self.compile(filename), vars(module))
        except Exception as error:
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            self.emit({"failure": f"the cases in {filename} raise {told}"})
            return
        yield from cases.explicit(module, where)
        for name, call, innocent in tagged(vars(module)):
            yield cases.Driver(
                f"the case {name} of {where}",
                lambda turn, call=call: call(),  # type: ignore[misc]
                innocent=innocent,
            )

    def users(self) -> list[str]:
        """The project files that import the module."""
        return cases.users_of(self.job.filename, sorted(self.files), self.job.paths)

    def around(self) -> Iterator[str]:
        """The files that may run for the job, the nearest first."""
        yield self.job.filename
        yield from dict.fromkeys(name for report in self.own for name, _ in report.chain)
        yield from self.users()

    def other_module(self, filename: str) -> ModuleType | None:
        """Another module of the project, imported if need be."""
        if filename not in self.modules:
            name, roots = module_of(Path(filename), Path(self.job.paths[-1]))
            sys.path[:0] = [str(root) for root in roots if str(root) not in sys.path]
            self.load(name, filename)
        return self.modules.get(filename)

    # -- made-up calls ----------------------------------------------------------------------------

    def search(self, report: Report, seconds: float) -> None:
        """Look for inputs that reach a report, for some time."""
        known = self.verdicts.get(report.number)
        if report.code == "JIT112" and known is not None and known.verdict == REFUTED:
            # Whether a Python number arrives here is for real calls to say: made-up ones pass both.
            return
        until = min(self.deadline, time.monotonic() + seconds)
        last: list[tuple[Callable[..., Any], dict[str, Uses], str]] = []
        for filename in dict.fromkeys([report.filename, *(name for name, _ in report.chain)]):
            module = self.other_module(filename)
            if module is None or filename not in self.recorder.lines:
                continue
            source = cases.Source(ast.parse("\n".join(self.recorder.lines[filename])), filename)
            maker = Maker(vars(module), source.functions(), self.recorder.pool)
            if self.devices > 1:
                # What is spread over devices must have as many elements, or a multiple.
                maker.profiles = ((self.devices,), (self.devices, self.devices), *PROFILES)
            row = report.span[0] if filename == report.filename else 0
            function = report.function if filename == report.filename else None
            names = cases.roots(source, function, report.chain, row)
            found = [item for name in names for item in self.callables(module, name, source, maker)]
            if filename == report.filename:
                last = [*self.applied(report, found)]
                own = (source, maker)
            for target, uses, label in found:
                self.try_inputs(report, target, uses, maker, label, source, until)
                if not self.unsettled(report):
                    return
                if time.monotonic() > until:
                    break
        until = min(self.deadline, time.monotonic() + seconds / 2)
        for target, uses, label in last:
            self.try_inputs(report, target, uses, own[1], label, own[0], until)

    def applied(
        self, report: Report, found: Sequence[tuple[Callable[..., Any], dict[str, Uses], str]]
    ) -> Iterator[tuple[Callable[..., Any], dict[str, Uses], str]]:
        """The reported function itself, under ``jax.jit``: it is what check says is traced."""
        known = self.verdicts.get(report.number)
        if known is not None and known.verdict == REFUTED:
            # A real call says more than one that is made up down to the transform.
            return
        jax = real_jax()
        statics = self.job.statics.get(report.function or "", ())
        for target, uses, label in found:
            if label == report.function and not hasattr(target, "__wrapped__"):
                with contextlib.suppress(Exception):
                    made = jax.jit(target, static_argnames=tuple(statics))
                    yield made, uses, f"jax.jit({label})"

    def callables(
        self, module: ModuleType, name: str, source: cases.Source, maker: Maker
    ) -> Iterator[tuple[Callable[..., Any], dict[str, Uses], str]]:
        """The callables that a dotted name stands for, made where that needs no invention."""
        head, *rest = name.split(".")
        value = getattr(module, head, None)
        if isinstance(value, type) and rest:
            for instance in itertools.islice(maker.instances(value, Uses(), 0, 1), 2):
                if hasattr(instance, "init_with_output"):
                    with contextlib.suppress(AttributeError):
                        applied = _linen_method(instance, rest[0])
                        yield applied, self.uses(applied, source, maker), f"{head}.apply"
                    continue
                # A method is often given the fields of its object.
                for key, item in getattr(instance, "__dict__", {}).items():
                    if not callable(item) and not _has_tracer(item):
                        maker.fields.setdefault(key, item)
                method = getattr(instance, rest[0], None)
                if callable(method) and rest[0] != "__init__":
                    yield method, self.uses(method, source, maker), f"{head}.{rest[0]}"
                # What the constructor has jitted stands in attributes.
                for key, item in getattr(instance, "__dict__", {}).items():
                    if hasattr(item, "__wrapped__") and callable(item):
                        yield item, self.uses(item, source, maker), f"{head}.{key}"
            return
        if callable(value) and not isinstance(value, type):
            yield value, self.uses(value, source, maker), head
        elif isinstance(value, Mapping | list | tuple):
            items = value.values() if isinstance(value, Mapping) else value
            for item in itertools.islice(items, 3):
                if callable(item):
                    yield item, self.uses(item, source, maker), head

    def uses(self, function: Any, source: cases.Source, maker: Maker) -> dict[str, Uses]:
        """How the function below a callable uses its parameters."""
        node = None
        for _ in range(8):
            code = getattr(function, "__code__", None)
            if code is not None and code.co_filename == source.filename:
                node = source.by_row().get(code.co_firstlineno)
                if not hasattr(function, "__wrapped__"):
                    break
            if isinstance(function, functools.partial):
                function = function.func
            else:
                function = getattr(function, "__wrapped__", getattr(function, "__func__", None))
            if function is None:
                break
        return {} if node is None else uses_of(node, maker.functions)

    def with_jit(
        self, report: Report, found: Iterator[Callable[..., Any]]
    ) -> Iterator[Callable[..., Any]]:
        """Callables, and the reported function among them also under ``jax.jit``."""
        jax = real_jax()
        for function in found:
            yield function
            name = str(getattr(function, "__qualname__", "")).replace(".<locals>", "")
            if name == report.function and not hasattr(function, "__wrapped__"):
                statics = self.job.statics.get(report.function, ())
                with contextlib.suppress(Exception):
                    yield jax.jit(function, static_argnames=tuple(statics))

    def try_inputs(
        self,
        report: Report,
        target: Callable[..., Any],
        uses: dict[str, Uses],
        maker: Maker,
        label: str,
        source: cases.Source,
        until: float,
        depth: int = 0,
    ) -> None:
        """Call something with made-up inputs, and what it returns, until the report is settled."""
        tries = itertools.islice(argument_lists(target, uses, maker), _MOST_TRIES)
        for number, (values, origin) in enumerate(tries):
            if (label, number) in self.tried:
                continue
            self.tried.add((label, number))
            if time.monotonic() > until or not self.unsettled(report):
                return
            made: list[Any] = []

            def call(turn: int, values: dict[str, Any] = values, made: list[Any] = made) -> Any:
                args, kwargs = _arguments(target, other_values(values, turn))
                result = target(*args, **kwargs)
                made[:] = [result]
                return None

            driver = cases.Driver(f"{label}: inputs from {origin}", call, real=False)
            self.execute(driver)
            if made and depth < 2:
                for inner in self.with_jit(report, _callables_in(made[0], self.files)):
                    self.try_inputs(
                        report,
                        inner,
                        self.uses(inner, source, maker),
                        maker,
                        f"{label}(...)" + (" under jax.jit" if _is_jitted(inner) else ""),
                        source,
                        until,
                        depth + 1,
                    )
                    if not self.unsettled(report):
                        return


def _has_raised(report: Report, runs: oracles.Runs) -> bool:
    return any(r.report == report.number for run in runs.traced for r in run.raised)


def _arguments(
    target: Callable[..., Any], values: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Values by name as an argument list; transforms like their arguments in order."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    omitted = False
    for name, parameter in inspect.signature(target).parameters.items():
        if name not in values:
            continue
        if values[name] is OMITTED:
            omitted = True
        elif parameter.kind is parameter.KEYWORD_ONLY or omitted:
            kwargs[name] = values[name]
        else:
            args.append(values[name])
    return args, kwargs


def _linen_method(module: Any, name: str) -> Callable[..., Any]:
    """A method of a Flax module as a function: initialised, then applied under jit."""
    jax = real_jax()
    name = "__call__" if name in ("setup", "__init__") else name
    method = getattr(module, name)

    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        key = jax.random.key(0)
        variables = module.init({"params": key, "dropout": key}, *args, method=name, **kwargs)
        apply = functools.partial(module.apply, method=name, rngs={"dropout": key}, **kwargs)
        return jax.jit(lambda tree, *inputs: apply(tree, *inputs))(variables, *args)

    return run


def _callables_in(value: Any, files: frozenset[str]) -> Iterator[Callable[..., Any]]:
    """The project's own functions in a result."""
    items: list[Any] = [value]
    if isinstance(value, tuple | list):
        items = list(value)
    elif isinstance(value, Mapping):
        items = list(value.values())
    for item in items:
        inner: Any = item
        for _ in range(6):
            code = getattr(inner, "__code__", None)
            if code is not None and code.co_filename in files:
                yield item
                break
            inner = getattr(inner, "func", None) or getattr(inner, "__wrapped__", None)
            if inner is None:
                break


def _of_jax(name: str) -> bool:
    return name.partition(".")[0] in JAX_PACKAGES


def _is_jitted(function: Any) -> bool:
    return hasattr(function, "__wrapped__") and hasattr(function, "lower")


def _is_array(value: Any) -> bool:
    jax = real_jax()

    return isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer)


def _has_tracer(value: Any) -> bool:
    jax = real_jax()

    try:
        return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))
    except Exception:
        return True


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise _TimeUp

    if not hasattr(signal, "setitimer"):
        yield
        return
    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def run_job(job: Job, emit: Emit) -> None:
    """Do one job in this process, which must be a child made for it."""
    jax = real_jax()

    jax.config.update("jax_platforms", job.platform)
    if job.cache is not None:
        # The same programs are compiled again and again: caches are cleared between cases.
        jax.config.update("jax_compilation_cache_dir", job.cache)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    jax.config.update("jax_traceback_filtering", "off")
    known = frozenset(sys.modules)
    session = Session(job, emit)
    if job.platform == "cpu" and wants_several(session.around()) and give_virtual_devices(jax):
        session.devices = VIRTUAL_DEVICES
    devices = jax.devices()
    names = [f"{device.platform}: {device.device_kind}" for device in devices]
    if session.devices > 1:
        names = [f"{names[0]} ({len(devices)} virtual devices, for code that spreads over several)"]
    emit({"jax": jax.__version__, "devices": names})
    try:
        session.run()
    finally:
        loaded = [n for n in sys.modules if n not in known and _of_jax(n)]
        emit({"loaded": loaded})


def main(arguments: Sequence[str] | None = None) -> int:
    """The entry point: do the jobs of a file, each in a process of its own.

    Args:
      arguments: the file of jobs, a JSON list; those of the process if None.

    Returns:
      0; 2 when JAX cannot be imported.
    """
    listing = Path((sys.argv[1:] if arguments is None else list(arguments))[0])
    try:
        real_jax()
    except Exception as error:
        sys.stdout.write(json.dumps({"fatal": f"jax cannot be imported: {error}"}) + "\n")
        return 2
    return serve(listing, lambda values, emit: run_job(Job.from_json(values), emit))


if __name__ == "__main__":
    sys.exit(main())
