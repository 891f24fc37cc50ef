"""What happens at the reported places while instrumented code runs.

Runs in a child process only.  A ``Recorder`` is told of it by the ``Probe`` of each instrumented
module, and by the tracers that ``jitlint.verify.recording.substitution`` lets answer.
"""

from __future__ import annotations

import gc
import itertools
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any

from jitlint.verify.recording.branches import Branches
from jitlint.verify.recording.changes import Changes
from jitlint.verify.recording.escaping import Escaping
from jitlint.verify.recording.exceptions import chain, described, first_line, is_of_jax, steps
from jitlint.verify.recording.frozen import ProgramsRun
from jitlint.verify.recording.jaxprs import Program, program_text, shape_of
from jitlint.verify.recording.monitoring import CompilationClock, compiled_function
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.records import Compiled, Raised, Report, RunRecord
from jitlint.verify.recording.sites import Span
from jitlint.verify.recording.stopwatch import Stopwatch
from jitlint.verify.recording.stores import Stores
from jitlint.verify.recording.tracers import is_tracer, traced, tracer_in

#: how far an object is searched before it is said to hold no tracer
_DEEPEST = 8
#: how often one place may be asked for a substitute in one run
_MOST_VISITS = 60
#: how many values of one local name are kept
_MOST_POOLED = 3
#: how many objects an audit keeps until a trace ends
_MOST_HELD = 200
#: rules whose harm shows when a program runs again
_OF_PROGRAMS = frozenset({"JIT208", "JIT213", "JIT311", "JIT314", "JIT401", "JIT402"})
#: rules whose harm is that programs are compiled, somewhere else than where jit is applied
_OF_COMPILATIONS = frozenset({"JIT306", "JIT307", "JIT312", "JIT313", "JIT402"})
_OF_CLOCKS = frozenset({"JIT401", "JIT402"})


class Recorder:
    """Collects what happens at the reported places of one job.

    Args:
      places: where they are.
      audit: for audits, says of a file whether it is one of tests; all is watched that they need.

    Attributes:
      run: what the run at hand has done.
      branches: which way substituted conditions go in it.
      eager: it runs without jit.
      natural: nothing stands in for what a tracer cannot give: exceptions go where they go.
      measuring: a compilation is being measured.
      measured_program: what was traced for it, whatever its numbers are.
      clock: counts what is traced and compiled.
      fresh: reports of silent effects that a trace has run since the last compiled call.
      in_trace: reports whose lines a trace has run since the last compiled call.
      programs: for each report, the program that its trace made.
      keeping_programs: whether they are wanted.
      visited: the rows that any run came to.
      pool: values of local names in real calls.
      pooling: whether the calls at hand are real, or make values as the module itself does.
      running: whether a run is being recorded.
      seen_in_runs: the identities of the values in the pool that real calls have shown.
      programs_run: what programs have kept from their traces.
      stopwatch: looks at the clocks that are read.
      changes: follows changed containers.
      stores: what is stored into, and put back.
      escaping: exceptions that the traced code may catch.
      watches_programs: every run of a program is to be seen.
      watches_compilations: every compilation is to be seen.
      watches_clocks: clocks are to be looked at.
      watches_draws: so is what the samplers of ``jax.random`` are given.
    """

    def __init__(self, places: Places, *, audit: Callable[[str], bool] | None = None) -> None:
        self.places = places
        self.run = RunRecord()
        self.branches = Branches()
        self.eager = False
        self.natural = False
        self.measuring = False
        self.measured_program = ""
        self.clock = CompilationClock()
        self.fresh: set[int] = set()
        self.in_trace: set[int] = set()
        self.programs: dict[int, Program] = {}
        self.keeping_programs = False
        self.visited: set[tuple[str, int]] = set()
        self.pool: dict[str, list[Any]] = {}
        self.pooling = True
        self.running = False
        self.seen_in_runs: set[int] = set()
        codes = {report.code for report in places.reports.values()}
        everything = audit is not None
        self.watches_programs = everything or bool(codes & _OF_PROGRAMS)
        self.watches_compilations = everything or bool(codes & _OF_COMPILATIONS)
        self.watches_clocks = everything or bool(codes & _OF_CLOCKS)
        self.watches_draws = "JIT215" in codes
        self._audit = audit
        #: how many statements of tests have run
        self._turn = 0
        if audit is not None:
            self.clock.heard = self._compiled
        bloating = frozenset(r.number for r in places.reports.values() if r.kind == "bloats")
        self.programs_run = ProgramsRun(self.clock, bloating)
        self.stopwatch = Stopwatch(places, self.clock)
        self.changes = Changes(places)
        self.stores = Stores()
        self.escaping = Escaping(self.clock)
        self._held: list[tuple[int, Any, str]] = []
        #: the reported expression that was evaluated last, with its value's identity
        self._latest: tuple[int, int] | None = None
        self._visits: Counter[object] = Counter()

    def begin(self, branches: Branches, *, eager: bool = False, natural: bool = False) -> RunRecord:
        """Start recording a run."""
        self.run = RunRecord(altered=self.stores.altered)
        self.eager = eager
        self.natural = natural
        self._held = []
        self.stores.begin()
        self.escaping.begin()
        self._latest = None
        self.fresh = set()
        self.in_trace = set()
        self._visits = Counter()
        self.programs_run.begin()
        self.changes.begin()
        self.stopwatch.begin(None if eager else self.run)
        self.branches = branches
        self.branches.start()
        return self.run

    # -- what runs --------------------------------------------------------------------------------

    def statement(self, filename: str, row: int) -> bool:
        """A statement is about to run; whether that is for the first time."""
        place = (filename, row)
        self.run.rows[place] += 1
        if self._audit is not None and self._audit(filename):
            self._turn += 1
        if self._held:
            self.settle()
        self.escaping.statement(self.run)
        self.programs_run.statement()
        if place in self.places.watched_rows and traced():
            self.run.traced_rows[place] += 1
            effect = self.places.effect_rows.get(place)
            if effect is not None:
                self.fresh.add(effect)
                self.in_trace.add(effect)
        if place in self.visited:
            return False
        self.visited.add(place)
        return True

    def evaluated(self, report: Report, value: Any) -> None:
        """A reported expression has a value, which is about to be used."""
        number, run = report.number, self.run
        self._latest = (number, id(value))
        run.evaluated[number] += 1
        if traced():
            run.evaluated_traced[number] += 1
            self.in_trace.add(number)
            if report.kind in ("runs-once", "stale"):
                self.fresh.add(number)
            if is_tracer(value):
                run.abstract[number] += 1
            if self.watches_programs:
                self.programs_run.evaluated(number, value)
        run.show(number, value)

    def remember(self, frame: FrameType) -> None:
        """Remember the values of a frame's local names, as inputs for other calls."""
        if not self.pooling or frame.f_code.co_name == "<module>":
            return
        if self._audit is not None and traced():
            # What an audit finds alive after a trace must not be so by this.
            return
        for name, value in frame.f_locals.items():
            if name.startswith("_") or isinstance(value, ModuleType) or is_tracer(value):
                continue
            kept = self.pool.setdefault(name, [])
            if len(kept) < _MOST_POOLED and not any(value is known for known in kept):
                kept.append(value)
                if self.running:
                    self.seen_in_runs.add(id(value))

    def replay(self, execute: Callable[[], Any]) -> Any:
        """Run a compiled program, and once more where its trace had an effect.

        The second time shows whether the effect belongs to the program or to its trace alone.
        """
        fresh, self.fresh = self.fresh, set()
        result = execute()
        if fresh:
            reports = [self.places.reports[number] for number in fresh]
            before = [self.places.count(report, self.run) for report in reports]
            execute()
            for report, count in zip(reports, before, strict=True):
                again = self.places.count(report, self.run) - count
                self.run.replayed[report.number] = again
        return result

    def keep_program(self, jaxpr: Any) -> None:
        """Keep what a trace has made, for the reports whose lines it ran.

        Args:
          jaxpr: the program that is about to be compiled or run.
        """
        if self.measuring and jaxpr is not None and not self.measured_program:
            self.measured_program = shape_of(jaxpr)
        numbers, self.in_trace = self.in_trace, set()
        if not self.keeping_programs or self.eager or jaxpr is None:
            return
        substituted = self.run.substituted
        wanted = [
            number
            for number in numbers
            if number not in self.programs
            or (self.programs[number].substituted and not substituted)
        ]
        if wanted:
            program = Program(program_text(jaxpr), substituted)
            self.programs |= dict.fromkeys(wanted, program)

    # -- exceptions -------------------------------------------------------------------------------

    def note(
        self,
        error: BaseException,
        filename: str,
        span: Span,
        *,
        by_tracer: bool,
        report: int | None = None,
        swallowed: int | None = None,
        asked: Any = None,
    ) -> int | None:
        """Record an exception at a place.

        Args:
          error: the exception.
          filename: the file.
          span: of what was running there.
          by_tracer: a tracer itself raised it.
          report: the report that it belongs to, if that is known.
          swallowed: the row of the ``try`` that hides it.
          asked: the tracer that was asked for a value.

        Returns:
          The number of the report that it belongs to.
        """
        bases = frozenset(base.__name__ for base in type(error).__mro__)
        if report is None:
            latest = None
            if asked is not None and self._latest is not None and self._latest[1] == id(asked):
                latest = self._latest[0]
            report = self.places.match(filename, span, bases, latest)
        tracing = traced()
        if report is not None and tracing:
            self.in_trace.add(report)
        self.run.raised.append(
            Raised(
                report,
                filename,
                span,
                type(error).__name__,
                bases,
                first_line(error),
                by_tracer,
                self.run.substituted,
                swallowed,
                tracing,
                "Tracer" in str(error) or "traced array" in str(error),
                tuple(getattr(asked, "shape", ())),
            )
        )
        return report

    def tracer_fault(self, error: Exception, frame: FrameType, tracer: Any) -> bool:
        """A tracer was asked for a value in a frame; whether a substitute is to stand in."""
        filename = frame.f_code.co_filename
        span = self.places.frame_span(frame.f_code, frame.f_lasti, frame.f_lineno)
        guard = self.places.swallowing(frame)
        row = None if guard is None else guard[1].row
        report = self.note(error, filename, span, by_tracer=True, swallowed=row, asked=tracer)
        if report is not None and self.places.may_catch(frame):
            self.run.catchable.add(report)
        if guard is not None:
            for around in self.places.by_file.get(guard[0], ()):
                if around.code == "JIT113" and around.span[0] == row:
                    number = around.number
                    self.note(error, filename, span, by_tracer=True, report=number, swallowed=row)
        silenced = self.places.silenced_at(filename, span[0])
        if silenced is not None:
            self.note(error, filename, span, by_tracer=True, report=silenced.number)
            return False
        place = (filename, span)
        self._visits[place] += 1
        if self.natural or guard is not None or self._visits[place] > _MOST_VISITS:
            if report is not None:
                self.escaping.raised(report, error, self.run)
            return False
        self.run.substituted = True
        return True

    def failed(self, error: BaseException, called: CodeType | None = None) -> None:
        """Record what ended a run, at the innermost frame of the user's code.

        The values of local names at its frames are remembered, too.

        Args:
          error: the exception.
          called: the code of the function that jitlint has called, if it is one.
        """
        for step in steps(error):
            if step.tb_frame.f_code.co_filename in self.places.lines:
                self.remember(step.tb_frame)
        if not isinstance(error, Exception):
            return
        self.run.error = described(error)
        for cause in chain(error):
            place = self.places.innermost(cause)
            if place is None:
                continue
            filename, span = place
            if not any((r.filename, r.span) == (filename, span) for r in self.run.raised):
                self.note(cause, filename, span, by_tracer=is_of_jax(cause))
            return
        if called is not None:
            # It is refused before any of the user's code runs: that is so where it is defined.
            report = self.places.at_definition(called, error)
            if report is not None:
                self.note(
                    error, report.filename, report.span, by_tracer=False, report=report.number
                )

    def _drop_dead(self, held: list[tuple[int, Any, str]]) -> None:
        """Drop what nothing else knows any more, then what was known by that alone, and so on."""
        before = -1
        while len(held) != before:
            before = len(held)
            gc.collect()
            known = Counter(id(value) for _, value, _ in held)
            known.update(map(id, itertools.chain(*self.pool.values())))
            dead = set()
            for place, (_, value, _) in enumerate(held):
                # Two references are ours: the local name and the argument of ``getrefcount``.
                if sys.getrefcount(value) <= 2 + known[id(value)]:
                    dead.add(place)
            value = None
            held[:] = [entry for place, entry in enumerate(held) if place not in dead]

    def _compiled(self, name: str) -> None:
        """A program of a name is being compiled."""
        frame = self.places.innermost_frame(sys._getframe(1))
        if frame is not None and not self.eager:
            at = (frame.f_code.co_filename, frame.f_lineno)
            compiled = Compiled(at, name, self._turn, compiled_function(sys._getframe(1), frame))
            self.run.compiled_at[compiled] += 1

    # -- state ------------------------------------------------------------------------------------

    def hold(self, report: int, value: Any, name: str) -> None:
        """Keep an object that a traced function stored into, to look for tracers in it later.

        Args:
          report: the number of the report at the place.
          value: the object.
          name: what it is called there.
        """
        if self.places.reports[report].suspected:
            # There are many of these, and one is enough.
            if any(report == known and value is held for known, held, _ in self._held):
                return
            if len(self._held) >= _MOST_HELD or report in self.run.outlived | {*self.run.leaks}:
                return
        self._held.append((report, value, name))

    def settle(self) -> None:
        """Once no trace runs: find the tracers that were left behind in what is held."""
        if not self._held or traced():
            return
        held, self._held = self._held, []
        restored = self.stores.settle(self.run)
        jax = real_jax()
        if any(self.places.reports[report].code == "JIT209" for report, _, _ in held):
            # Tracers end with their trace only once its cycles are collected.
            gc.collect()
        if any(self.places.reports[report].suspected for report, _, _ in held):
            self._drop_dead(held)

        while held:
            report, value, name = held.pop()
            # Two references are ours: the local name and the argument of ``getrefcount``; others
            # are of what waits here, or is kept as an input.
            ours = [*(item for _, item, _ in held), *itertools.chain(*self.pool.values())]
            alive = sys.getrefcount(value) > 2 + 2 * sum(1 for item in ours if item is value)
            if self.places.reports[report].code == "JIT210":
                if alive:
                    self.run.outlived.add(report)
                continue
            if alive and self.places.reports[report].suspected:
                if (report, id(value)) in restored:
                    # What the trace has put in, it has taken out again.
                    continue
                self.run.outlived.add(report)
            if not alive:
                self.run.gone[report] = name
                continue
            if report in self.run.leaks:
                continue
            if self.places.reports[report].code == "JIT209" and self.run.error is not None:
                # The frames of an exception keep tracers, too.
                continue
            path, tracer = tracer_in(value, name)
            if tracer is None:
                if tracer_in(value, name, _DEEPEST)[1] is None:
                    self.run.clean[report] = name
                continue
            try:
                jax.numpy.add(tracer, 1)
                used = "using it gives no error"
            except Exception as error:
                used = f"using it raises {described(error)}"
            self.run.leaks[report] = f"`{path}` holds {tracer!r} after the trace; {used}"
