"""What instrumented code reports while it runs, and how it goes on after a fault.

Runs in a child process only.  A ``Recorder`` collects what happens at each reported place; a
``Probe`` is what one instrumented module calls.
"""

from __future__ import annotations

import functools
import operator
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

from jitlint.verify.instrument import Guarded, Span, code_points
from jitlint.verify.real_jax import real_jax, real_numpy

_MESSAGE_LIMIT = 300
#: rules whose fault also occurs without any tracing
EAGER_TOO = frozenset({"JIT205", "JIT304", "JIT305", "JIT308", "JIT309"})
#: how many values of one place are kept
_MOST_SHOWN = 32
#: how far an object is searched before it is said to hold no tracer
_DEEPEST = 8
#: how often one place may be asked for a substitute in one run
_MOST_VISITS = 60
#: a longer program is shown by its beginning
_MOST_OPERATIONS = 400
_MOST_PROGRAM_LINES = 80
_PROGRAM_WIDTH = 160


@dataclass(frozen=True, slots=True)
class Report:
    """What the recorder knows of a report: its place, and what ``check`` expects there."""

    number: int
    code: str
    kind: str
    exceptions: tuple[str, ...]
    filename: str
    span: Span
    function: str | None
    chain: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception at a place of the user's code.

    Args:
      report: the number of the report that predicted it, None if none did.
      filename: of the innermost frame of the user's code.
      span: of the expression that was running there.
      exception: the class's name.
      bases: the names of all its classes.
      message: the start of its text.
      by_tracer: a tracer itself raised it, so that tracing is certainly to blame.
      substituted: earlier in this run a substitute stood in for a value.
      swallowed: the row of the ``try`` that hides it.
      traced: whether a trace was running.
      names_tracer: its text speaks of a tracer.
    """

    report: int | None
    filename: str
    span: Span
    exception: str
    bases: frozenset[str]
    message: str
    by_tracer: bool
    substituted: bool
    swallowed: int | None = None
    traced: bool = True
    names_tracer: bool = False


@dataclass(slots=True)
class CompiledCall:
    """One call of a jitted function that a reported place made."""

    made: int
    signature: str
    traces: int
    compilations: int
    milliseconds: float
    hoisted_milliseconds: float | None = None


@dataclass(slots=True)
class RunRecord:
    """What one run of a driver did."""

    rows: Counter[tuple[str, int]] = field(default_factory=Counter)
    traced_rows: Counter[tuple[str, int]] = field(default_factory=Counter)
    evaluated: Counter[int] = field(default_factory=Counter)
    evaluated_traced: Counter[int] = field(default_factory=Counter)
    abstract: Counter[int] = field(default_factory=Counter)
    shown: dict[int, list[str]] = field(default_factory=dict)
    raised: list[Raised] = field(default_factory=list)
    leaks: dict[int, str] = field(default_factory=dict)
    #: what a trace stored into that is alive after it, and holds no tracer
    clean: dict[int, str] = field(default_factory=dict)
    dropped: dict[int, str] = field(default_factory=dict)
    compiled: dict[int, list[CompiledCall]] = field(default_factory=dict)
    made: Counter[int] = field(default_factory=Counter)
    substituted: bool = False
    cured: set[int] = field(default_factory=set)
    replayed: dict[int, int] = field(default_factory=dict)
    error: str | None = None
    #: jaxprs made
    traces: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """What a trace made.

    Args:
      text: the jaxpr, not too long.
      substituted: substitutes stood in for values, so that it is one of several.
    """

    text: str
    substituted: bool


class Choices:
    """Which way substituted conditions go: depth first, until every branch has had its turn."""

    def __init__(self) -> None:
        self._tried: set[tuple[object, bool]] = set()
        self._plan: list[bool] = []
        self._taken: list[tuple[object, bool, bool]] = []

    def start(self) -> None:
        """Begin a run."""
        self._taken = []

    def choose(self, place: object) -> bool:
        """The outcome of a condition: true at first, later visits false, so that loops end."""
        position = len(self._taken)
        visits = sum(1 for known, _, _ in self._taken if known == place)
        outcome = self._plan[position] if position < len(self._plan) else visits == 0
        self._taken.append((place, outcome, visits == 0))
        self._tried.add((place, outcome))
        return outcome

    def advance(self) -> bool:
        """Plan the next run; False when no branch is left."""
        for position in range(len(self._taken) - 1, -1, -1):
            place, outcome, first = self._taken[position]
            if first and (place, not outcome) not in self._tried:
                self._plan = [taken for _, taken, _ in self._taken[:position]]
                self._plan.append(not outcome)
                return True
        self._plan = []
        return False


class Recorder:
    """Collects what happens at the reported places of one job.

    Args:
      reports: the reports, by number.
    """

    def __init__(self, reports: Sequence[Report]) -> None:
        self.reports = {report.number: report for report in reports}
        self.by_file: dict[str, list[Report]] = {}
        for report in reports:
            self.by_file.setdefault(report.filename, []).append(report)
        self.located: dict[int, str] = {}
        self.rows_of: dict[int, frozenset[int]] = {}
        self.guards: dict[str, tuple[Guarded, ...]] = {}
        self.lines: dict[str, list[str]] = {}
        self.run = RunRecord()
        self.choices = Choices()
        self.substituting = True
        self.eager = False
        self._held: list[tuple[int, Any, str]] = []
        #: the reported expression that was evaluated last, with its value's identity
        self._latest: tuple[int, int] | None = None
        self._visits: Counter[object] = Counter()
        self.clock = CompilationClock()
        self.visited: set[tuple[str, int]] = set()
        self.measuring = False
        #: reports of silent effects that a trace has run since the last compiled call
        self.fresh: set[int] = set()
        self.effect_rows: dict[tuple[str, int], int] = {}
        #: rows of silent hazards, for which it counts whether a trace runs them
        self.watched_rows: set[tuple[str, int]] = set()
        #: reports whose lines a trace has run since the last compiled call
        self.in_trace: set[int] = set()
        #: for each report, the program that its trace made, and whether substitutes went into it
        self.programs: dict[int, Program] = {}
        self.keeping_programs = False
        #: values of local names in real calls
        self.pool: dict[str, list[Any]] = {}
        self.pooling = True

    def remember(self, frame: FrameType) -> None:
        """Remember the values of a frame's local names, as inputs for other calls."""
        if not self.pooling or frame.f_code.co_name == "<module>":
            return
        for name, value in frame.f_locals.items():
            if name.startswith("_") or isinstance(value, ModuleType) or _is_tracer(value):
                continue
            kept = self.pool.setdefault(name, [])
            if len(kept) < 3 and not any(value is known for known in kept):
                kept.append(value)

    def replay(self, execute: Callable[[], Any]) -> Any:
        """Run a compiled program, and once more where its trace had an effect.

        The second time shows whether the effect belongs to the program or to its trace alone.
        """
        fresh, self.fresh = self.fresh, set()
        result = execute()
        if fresh:
            before = {number: self.ran(number) for number in fresh}
            execute()
            for number, count in before.items():
                self.run.replayed[number] = self.ran(number) - count
        return result

    def keep_program(self, jaxpr: Any) -> None:
        """Keep what a trace has made, for the reports whose lines it ran.

        Args:
          jaxpr: the program that is about to be compiled or run.
        """
        numbers, self.in_trace = self.in_trace, set()
        if not self.keeping_programs or self.eager or jaxpr is None:
            return
        substituted = self.run.substituted
        wanted = [n for n in numbers if n not in self.programs or self.programs[n].substituted]
        wanted = [n for n in wanted if n not in self.programs or not substituted]
        if wanted:
            program = Program(program_text(jaxpr), substituted)
            self.programs |= dict.fromkeys(wanted, program)

    def ran(self, number: int) -> int:
        """How often a reported place has run."""
        if number in self.located:
            return self.run.evaluated[number]
        report = self.reports[number]
        rows = self.rows_of.get(number, frozenset())
        return max((self.run.rows[report.filename, row] for row in rows), default=0)

    def begin(self, *, substituting: bool, eager: bool) -> RunRecord:
        """Start recording a run."""
        self.run = RunRecord()
        self.substituting = substituting
        self.eager = eager
        self._held = []
        self._latest = None
        self.fresh = set()
        self.in_trace = set()
        self._visits = Counter()
        self.choices.start()
        return self.run

    def evaluated(self, report: int, value: Any) -> None:
        """A reported expression has a value, which is about to be used."""
        self._latest = (report, id(value))

    # -- places -----------------------------------------------------------------------------------

    def user_frame(self, frame: FrameType | None) -> FrameType | None:
        """The innermost frame of instrumented code, unless JAX stands before it."""
        while frame is not None:
            filename = frame.f_code.co_filename
            if filename in self.lines:
                return frame
            if _is_jax(filename):
                return None
            frame = frame.f_back
        return None

    def frame_span(self, code: CodeType, lasti: int, lineno: int) -> Span:
        """The span of the instruction at an offset."""
        lines = self.lines.get(code.co_filename, [])
        found = next(islice(code.co_positions(), lasti // 2, None), None)
        if found is None or None in found:
            return (lineno, 1, lineno, 10_000)
        row, end_row, start, end = found
        assert row is not None and end_row is not None and start is not None and end is not None
        return (row, code_points(lines, row, start), end_row, code_points(lines, end_row, end))

    def match(
        self, filename: str, span: Span, bases: frozenset[str], asked: Any = None
    ) -> int | None:
        """The report that predicted an exception of such classes at such a place.

        Args:
          filename: of the frame.
          span: of the instruction that was running there.
          bases: the names of the exception's classes.
          asked: the tracer that was asked for a value.
        """
        best: tuple[float, int] | None = None
        for report in self.by_file.get(filename, ()):
            if report.kind != "raises" or not _predicted(report, bases):
                continue
            rows = self.rows_of.get(report.number, frozenset())
            if span[0] not in rows:
                # The span of a condition may be that of its whole statement.
                continue
            if asked is not None and self._latest == (report.number, id(asked)):
                # Python gives some tests the columns of another part of their statement: those at
                # the end of a loop, and those whose operands decide together.
                return report.number
            fit = _overlap(report.span, span)
            if fit <= 0 and report.number not in self.located:
                # Some places have no position of their own: format strings before Python 3.12.
                fit = 0.001
            if fit > 0 and (best is None or fit > best[0]):
                best = (fit, report.number)
        return None if best is None else best[1]

    def swallowing(self, frame: FrameType | None) -> tuple[str, Guarded] | None:
        """The user's ``try`` that would catch what is raised in a frame."""
        while frame is not None:
            for guard in self.guards.get(frame.f_code.co_filename, ()):
                if guard.first <= frame.f_lineno <= guard.last:
                    return frame.f_code.co_filename, guard
            frame = frame.f_back
        return None

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
    ) -> Raised:
        """Record an exception at a place."""
        bases = frozenset(base.__name__ for base in type(error).__mro__)
        if report is None:
            report = self.match(filename, span, bases, asked)
        if report is not None and traced():
            self.in_trace.add(report)
        raised = Raised(
            report,
            filename,
            span,
            type(error).__name__,
            bases,
            _first_line(error),
            by_tracer,
            self.run.substituted,
            swallowed,
            traced(),
            "Tracer" in str(error) or "traced array" in str(error),
        )
        self.run.raised.append(raised)
        return raised

    def tracer_fault(self, error: Exception, frame: FrameType, tracer: Any) -> bool:
        """A tracer was asked for a value in a frame; whether a substitute is to stand in."""
        span = self.frame_span(frame.f_code, frame.f_lasti, frame.f_lineno)
        guard = self.swallowing(frame)
        row = None if guard is None else guard[1].row
        self.note(
            error, frame.f_code.co_filename, span, by_tracer=True, swallowed=row, asked=tracer
        )
        if guard is not None:
            for report in self.by_file.get(guard[0], ()):
                if report.code == "JIT113" and report.span[0] == row:
                    self.note(
                        error,
                        frame.f_code.co_filename,
                        span,
                        by_tracer=True,
                        report=report.number,
                        swallowed=row,
                    )
        if self._silent_site(error, frame.f_code.co_filename, span):
            return False
        place = (frame.f_code.co_filename, span)
        self._visits[place] += 1
        if not self.substituting or guard is not None or self._visits[place] > _MOST_VISITS:
            return False
        self.run.substituted = True
        return True

    def _silent_site(self, error: Exception, filename: str, span: Span) -> bool:
        """Whether a library hides what a tracer raises at a place, and gives a wrong result."""
        for report in self.by_file.get(filename, ()):
            rows = self.rows_of.get(report.number, frozenset())
            if report.code == "JIT106" and report.kind == "silently-wrong" and span[0] in rows:
                self.note(error, filename, span, by_tracer=True, report=report.number)
                return True
        return False

    def failed(self, error: BaseException) -> None:
        """Record the exception that ended a run, at the innermost frame of the user's code."""
        self.run.error = f"{type(error).__name__}: {_first_line(error)}"
        seen: set[int] = set()
        current: BaseException | None = error
        while current is not None and id(current) not in seen:
            seen.add(id(current))
            place = self.innermost_place(current.__traceback__)
            if place is not None:
                filename, span = place
                known = any(r.filename == filename and r.span == span for r in self.run.raised)
                if not known:
                    self.note(current, filename, span, by_tracer=_of_jax(current))
                return
            current = current.__cause__ or current.__context__

    def innermost_place(self, tb: TracebackType | None) -> tuple[str, Span] | None:
        """The file and span of the innermost frame of the user's code."""
        found = None
        while tb is not None:
            if tb.tb_frame.f_code.co_filename in self.lines:
                found = tb
            tb = tb.tb_next
        if found is None:
            return None
        span = self.frame_span(found.tb_frame.f_code, found.tb_lasti, found.tb_lineno)
        return found.tb_frame.f_code.co_filename, span

    def own_fault(self, error: BaseException) -> bool:
        """Whether an exception arose in the library code that the probe just called."""
        tb = error.__traceback__
        while tb is not None:
            if tb.tb_frame.f_code.co_filename in self.lines:
                return False
            tb = tb.tb_next
        return True

    # -- state ------------------------------------------------------------------------------------

    def hold(self, report: int, value: Any, name: str) -> None:
        """Keep an object that a traced function stored into, to look for tracers in it later."""
        self._held.append((report, value, name))

    def owner_name(self, report: Report) -> str:
        """What the object is called whose method a report is about: ``log`` in `log.append(x)`."""
        row, column = report.span[:2]
        lines = self.lines.get(report.filename, ())
        text = lines[row - 1][column - 1 :] if row <= len(lines) else ""
        name = text.partition("(")[0].rpartition(".")[0].strip()
        return name or report.function or "the object"

    def settle(self) -> None:
        """Once no trace runs: find the tracers that were left behind in what is held."""
        if not self._held or traced():
            return
        held, self._held = self._held, []
        jax = real_jax()

        while held:
            report, value, name = held.pop()
            # Two references are ours: the local name and the argument of ``getrefcount``.
            alive = sys.getrefcount(value) > 2 + sum(1 for _, o, _ in held if o is value)
            if not alive or report in self.run.leaks:
                continue
            path, tracer = _tracer_in(value, name)
            if tracer is None:
                if _tracer_in(value, name, _DEEPEST)[1] is None:
                    self.run.clean[report] = name
                continue
            try:
                jax.numpy.add(tracer, 1)
                used = "using it gives no error"
            except Exception as error:
                used = f"using it raises {type(error).__name__}: {_first_line(error)}"
            self.run.leaks[report] = f"`{path}` holds {tracer!r} after the trace; {used}"


class Probe:
    """What one instrumented module calls.

    Args:
      recorder: collects what is told.
      filename: the module's file.
    """

    slice = slice

    def __init__(self, recorder: Recorder, filename: str) -> None:
        self._recorder = recorder
        self._filename = filename

    def at(self, row: int) -> None:
        """The statement at a row is about to run."""
        recorder = self._recorder
        recorder.run.rows[self._filename, row] += 1
        if recorder._held:
            recorder.settle()
        if (self._filename, row) in recorder.watched_rows and traced():
            recorder.run.traced_rows[self._filename, row] += 1
        effect = recorder.effect_rows.get((self._filename, row))
        if effect is not None and traced():
            recorder.fresh.add(effect)
            recorder.in_trace.add(effect)
        if (self._filename, row) not in recorder.visited:
            recorder.visited.add((self._filename, row))
            recorder.remember(sys._getframe(1))

    def value(self, report: int, value: Any) -> Any:
        """A reported expression has a value."""
        run = self._recorder.run
        self._recorder.evaluated(report, value)
        run.evaluated[report] += 1
        if traced():
            run.evaluated_traced[report] += 1
            self._recorder.in_trace.add(report)
            if self._recorder.reports[report].kind in ("runs-once", "stale"):
                self._recorder.fresh.add(report)
            if _is_tracer(value):
                run.abstract[report] += 1
        shown = run.shown.setdefault(report, [])
        if len(shown) < _MOST_SHOWN:
            shown.append(_shown(value))
        return value

    def call(self, report: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """A reported call."""
        recorder = self._recorder
        spec = recorder.reports[report]
        owner = getattr(function, "__self__", None)
        if spec.kind in ("leaks", "runs-once") and traced():
            if function is setattr and args:
                recorder.hold(report, args[0], f"{args[0]!r}")
            elif owner is not None:
                recorder.hold(report, owner, recorder.owner_name(spec))
        owner = None
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            if spec.kind != "raises" or not recorder.own_fault(error):
                raise
            if not self._go_on(report, error, args, kwargs):
                raise
            return self._called_otherwise(spec, function, args, kwargs, error)
        if spec.code == "JIT212":
            self._dropped(report, function, result)
        return self.value(report, result)

    def item(self, report: int, container: Any, index: Any) -> Any:
        """A reported subscript."""
        try:
            result = container[index]
        except Exception as error:
            if not self._recorder.own_fault(error):
                raise
            if not self._go_on(report, error, (index,), {}):
                raise
            for attempt in (_open_index, _first_item):
                try:
                    result = attempt(container, index)
                except Exception:
                    continue
                self._recorder.run.substituted = True
                return result
            raise
        return self.value(report, result)

    def caught(self, report: int) -> None:
        """A handler of a reported ``try`` has caught something."""
        recorder = self._recorder
        error = sys.exc_info()[1]
        if error is None or not _of_jax(error):
            return
        place = recorder.innermost_place(error.__traceback__)
        known = any(r.report == report for r in recorder.run.raised[-2:])
        if place is not None and not known:
            row = recorder.reports[report].span[0]
            recorder.note(error, *place, by_tracer=True, report=report, swallowed=row)

    def set_item(self, report: int, container: Any, index: Any, value: Any, operation: str) -> None:
        """A reported assignment to a subscript."""
        try:
            if operation:
                container[index] = _OPERATORS[operation](container[index], value)
            else:
                container[index] = value
        except Exception as error:
            if not self._go_on(report, error, (), {}):
                raise
            self._recorder.run.substituted = True
            return
        self.value(report, None)

    def stored(self, report: int, value: Any, name: str) -> None:
        """A reported statement has stored into an object, or a name."""
        self.value(report, None)
        if traced():
            self._recorder.hold(report, value, name)

    def jit(self, report: int, made: Any) -> Any:
        """A reported place has made a jitted function."""
        self.value(report, None)
        if not callable(made):
            return made
        self._recorder.run.made[report] += 1
        return _Counted(self, report, made)

    def decorator(self, report: int, decorator: Any) -> Any:
        """A reported decorator is about to be applied."""

        def apply(function: Any) -> Any:
            spec = self._recorder.reports[report]
            try:
                made = decorator(function)
            except Exception as error:
                if spec.kind != "raises" or not self._go_on(report, error, (), {}):
                    raise
                jax = real_jax()

                self._recorder.run.substituted = True
                return jax.jit(function)
            if spec.code in ("JIT301", "JIT303", "JIT309"):
                return self.jit(report, made)
            return made

        return apply

    # -- going on after a fault -------------------------------------------------------------------

    def _go_on(
        self, report: int, error: Exception, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> bool:
        """Record the fault of a reported place; whether a substitute may stand in."""
        recorder = self._recorder
        spec = recorder.reports[report]
        frame = sys._getframe(2)
        bases = frozenset(base.__name__ for base in type(error).__mro__)
        at_site = any(
            r.report == report and r.message == _first_line(error) for r in recorder.run.raised[-2:]
        )
        guard = recorder.swallowing(frame)
        if not at_site:
            recorder.note(
                error,
                self._filename,
                spec.span,
                by_tracer=_of_jax(error),
                report=report if _predicted(spec, bases) else None,
                swallowed=None if guard is None else guard[1].row,
            )
        return recorder.substituting and guard is None

    def _called_otherwise(
        self,
        spec: Report,
        function: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        error: Exception,
    ) -> Any:
        self._recorder.run.substituted = True
        attempts: list[Callable[[], Any]] = []
        wrapped = getattr(function, "__wrapped__", None)
        if spec.code in ("JIT304", "JIT308", "JIT309") and wrapped is not None:
            attempts.append(lambda: wrapped(*args, **kwargs))
        if spec.code == "JIT305":
            kept = {k: v for k, v in kwargs.items() if not k.startswith(("static", "donate"))}
            attempts.append(lambda: function(*args, **kept))
        for keyword in ("size", "length", "num_segments", "total_repeat_length"):
            if spec.code == "JIT109" and args:
                size = max(int(getattr(args[0], "size", 1)), 1)
                attempts.append(functools.partial(function, *args, **{**kwargs, keyword: size}))
        cures = len(attempts)
        if any(map(_is_tracer, (args, kwargs))):
            for number in (2, 1, 0):
                made = _concrete((args, kwargs), number)
                attempts.append(functools.partial(function, *made[0], **made[1]))
        last = len(attempts)
        attempts.append(lambda: args[0])
        for position, attempt in enumerate(attempts):
            try:
                result = attempt()
            except Exception:
                continue
            if cures <= position < last:
                # With numbers in place of the tracers it works: tracing is to blame.
                self._recorder.run.cured.add(spec.number)
            return result
        raise error

    def _dropped(self, report: int, function: Any, result: Any) -> None:
        """Compare an array with its update, whose result nobody keeps."""
        jax = real_jax()
        numpy = real_numpy()

        base = getattr(getattr(function, "__self__", None), "array", None)
        dropped = self._recorder.run.dropped

        def count(changed: Any) -> None:
            if int(changed):
                elements = f"{int(changed)} element{'' if int(changed) == 1 else 's'}"
                dropped[report] = f"the update changes {elements} of an array that is lost"

        if base is None:
            return
        if _is_tracer(result) or _is_tracer(base):
            # What a transform maps or differentiates has its values when the program runs.
            jax.debug.callback(count, (base != result).sum())
        else:
            count((numpy.asarray(base) != numpy.asarray(result)).sum())


class _Counted:
    """A jitted function made at a reported place, whose calls are measured."""

    def __init__(self, probe: Probe, report: int, function: Any) -> None:
        functools.update_wrapper(self, function, updated=())
        self._probe = probe
        self._report = report
        self._function = function
        # Nothing else may keep the function alive: that would keep its cache entry alive too.
        self._number = probe._recorder.run.made[report]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __hash__(self) -> int:
        return hash(self._function)

    def __eq__(self, other: object) -> bool:
        return self is other or self._function == other

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        recorder = self._probe._recorder
        spec = recorder.reports[self._report]
        if spec.code == "JIT309":
            return self._method(spec, args, kwargs)
        if traced() or recorder.eager:
            return self._function(*args, **kwargs)
        jax = real_jax()

        signature = _signature(args, kwargs)
        calls = recorder.run.compiled.setdefault(self._report, [])
        made = self._number
        first = not any(call.made == made for call in calls)
        # What a compilation costs must not come out of the cache on disk.
        cached = jax.config.jax_enable_compilation_cache
        jax.config.update("jax_enable_compilation_cache", False)
        recorder.measuring = True
        recorder.in_trace.add(self._report)
        try:
            before, start = recorder.clock.read(), time.perf_counter()
            result = jax.block_until_ready(self._function(*args, **kwargs))
            spent = (time.perf_counter() - start) * 1000
        finally:
            recorder.measuring = False
            jax.config.update("jax_enable_compilation_cache", cached)
        traces, compilations = recorder.clock.since(before)
        call = CompiledCall(made, signature, traces, compilations, spent)
        if first and len(calls) < 8:
            # What the call would cost if the function had been made before the loop.
            start = time.perf_counter()
            try:
                jax.block_until_ready(self._function(*args, **kwargs))
            except Exception:
                pass
            else:
                call.hoisted_milliseconds = (time.perf_counter() - start) * 1000
        calls.append(call)
        return result

    def _method(self, spec: Report, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        recorder = self._probe._recorder
        try:
            return self._function(*args, **kwargs)
        except Exception as error:
            named = any(repr(type(argument)) in str(error) for argument in args[:1])
            if not named or not recorder.own_fault(error):
                raise
            if not self._probe._go_on(spec.number, error, args, kwargs):
                raise
            recorder.run.substituted = True
            wrapped = getattr(self._function, "__wrapped__", None)
            if wrapped is None:
                raise
            return wrapped(*args, **kwargs)


class CompilationClock:
    """Counts the jaxprs made and the programs compiled in this process."""

    TRACE = "/jax/core/compile/jaxpr_trace_duration"
    COMPILE = "/jax/core/compile/backend_compile_duration"

    def __init__(self) -> None:
        self._counts = [0, 0]

    def start(self) -> None:
        """Listen to what JAX says."""
        jax = real_jax()

        jax.monitoring.register_event_duration_secs_listener(self._listen)

    def _listen(self, event: str, _: float, **__: Any) -> None:
        if event == self.TRACE:
            self._counts[0] += 1
        elif event == self.COMPILE:
            self._counts[1] += 1

    def read(self) -> tuple[int, int]:
        """Jaxprs and compilations so far."""
        return self._counts[0], self._counts[1]

    def since(self, before: tuple[int, int]) -> tuple[int, int]:
        """Jaxprs and compilations since a reading."""
        return self._counts[0] - before[0], self._counts[1] - before[1]


def traced() -> bool:
    """Whether a trace is running."""
    # No public function tells; without the private one, everything counts as traced.
    core = sys.modules.get("jax._src.core")
    clean = getattr(core, "trace_state_clean", None)
    return True if clean is None else not clean()


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}


def _is_tracer(value: Any) -> bool:
    jax = real_jax()

    try:
        return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))
    except Exception:
        return False


def _tracer_in(value: Any, path: str, depth: int = 3) -> tuple[str, Any]:
    """A tracer that an object leads to, with the way there."""
    jax = real_jax()

    if isinstance(value, jax.core.Tracer):
        return path, value
    if depth == 0:
        return path, None
    inner: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        inner = [(f"{path}[{key!r}]", item) for key, item in value.items()]
    elif isinstance(value, list | tuple | set | frozenset) or type(value).__name__ == "deque":
        inner = [(f"{path}[{number}]", item) for number, item in enumerate(value)]
    else:
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, Mapping):
            inner = [(f"{path}.{name}", item) for name, item in attributes.items()]
    for step, item in inner:
        found = _tracer_in(item, step, depth - 1)
        if found[1] is not None:
            return found
    return path, None


def _concrete(tree: Any, number: int) -> Any:
    """Arguments in which Python numbers stand for tracers that are single numbers."""
    jax = real_jax()
    numpy = real_numpy()

    def other(leaf: Any) -> Any:
        if not isinstance(leaf, jax.core.Tracer):
            return leaf
        if leaf.ndim == 0 and numpy.issubdtype(leaf.dtype, numpy.bool_):
            return bool(number)
        if leaf.ndim == 0 and numpy.issubdtype(leaf.dtype, numpy.number):
            return number
        return leaf

    return jax.tree.map(other, tree)


def _open_index(container: Any, index: Any) -> Any:
    """A subscript in which what must be static stands open."""
    jax = real_jax()
    numpy = real_numpy()

    def other(part: Any) -> Any:
        if isinstance(part, slice):
            ends = (part.start, part.stop, part.step)
            return slice(None) if any(isinstance(e, jax.core.Tracer) for e in ends) else part
        if isinstance(part, jax.core.Tracer) and part.dtype == bool:
            return numpy.ones(part.shape, bool) if part.ndim else numpy.True_
        return part

    made = tuple(other(p) for p in index) if isinstance(index, tuple) else other(index)
    return container[made]


def _first_item(container: Any, index: Any) -> Any:
    if isinstance(container, Mapping):
        return next(iter(container.values()))
    return container[0]


def _signature(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    jax = real_jax()

    def one(leaf: Any) -> str:
        shape = getattr(leaf, "shape", None)
        return f"{type(leaf).__name__}" if shape is None else f"{leaf.dtype}{list(shape)}"

    leaves, structure = jax.tree.flatten((args, kwargs))
    return f"{[one(leaf) for leaf in leaves]} {structure}"


def _shown(value: Any) -> str:
    try:
        return repr(value)[:60]
    except Exception:
        return f"<{type(value).__name__}>"


def _predicted(report: Report, bases: frozenset[str]) -> bool:
    return any(name.rpartition(".")[2] in bases for name in report.exceptions)


def program_text(jaxpr: Any) -> str:
    """A jaxpr as text that a person might still read.

    Args:
      jaxpr: the program, closed or not.
    """
    inner = getattr(jaxpr, "jaxpr", jaxpr)
    number = _operations(inner, _MOST_OPERATIONS + 1)
    if number <= _MOST_OPERATIONS:
        lines = str(jaxpr).splitlines()
    else:
        # To print it whole could take longer than to compile it.
        lines = [str(operation) for operation in inner.eqns[:_MOST_PROGRAM_LINES]]
        lines = [part for line in lines for part in line.splitlines()]
    cut = [line if len(line) <= _PROGRAM_WIDTH else f"{line[:_PROGRAM_WIDTH]}…" for line in lines]
    if len(lines) > _MOST_PROGRAM_LINES or number > _MOST_OPERATIONS:
        more = "more than " if number > _MOST_OPERATIONS else ""
        total = min(number, _MOST_OPERATIONS)
        cut = [*cut[:_MOST_PROGRAM_LINES], f"… ({more}{total} operations in all)"]
    return "\n".join(cut)


def _operations(jaxpr: Any, most: int) -> int:
    """How many operations a jaxpr has, with those of the programs inside it; at most ``most``."""
    jax = real_jax()
    found = 0
    left = [jaxpr]
    while left and found < most:
        current = left.pop()
        found += len(current.eqns)
        for operation in current.eqns[:most]:
            for value in jax.tree.leaves(
                list(operation.params.values()), is_leaf=lambda leaf: hasattr(leaf, "eqns")
            ):
                inner = getattr(value, "jaxpr", value)
                if hasattr(inner, "eqns"):
                    left.append(inner)
    return min(found, most)


def _overlap(one: Span, other: Span) -> float:
    """How well two spans agree: 1 for the same, 0 or less for none."""
    start = max(one[:2], other[:2])
    end = min(one[2:], other[2:])
    if start >= end:
        return 0.0
    length = abs(_size(one) - _size(other))
    return 1.0 / (1.0 + length)


def _size(span: Span) -> int:
    return (span[2] - span[0]) * 200 + span[3] - span[1]


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:_MESSAGE_LIMIT] if text else ""


def _is_jax(filename: str) -> bool:
    normal = filename.replace("\\", "/")
    return "/jax/" in normal or "/jaxlib/" in normal


def _of_jax(error: BaseException) -> bool:
    """Whether an exception is one of JAX's own classes, which only tracers raise."""
    return any(
        base.__module__.startswith(("jax.", "jaxlib.")) and base.__name__ != "JaxRuntimeError"
        for base in type(error).__mro__
    )
