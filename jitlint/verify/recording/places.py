"""Where reports stand in the instrumented code of a job."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import islice
from types import CodeType, FrameType

from jitlint.verify.recording.exceptions import steps
from jitlint.verify.recording.instrument import (
    Guarded,
    Instrumented,
    loop_rows,
)
from jitlint.verify.recording.records import Report, RunRecord
from jitlint.verify.recording.sites import Site, Span, code_points


class Places:
    """The reports of a job, and the instrumented files that they stand in.

    Args:
      reports: what ``check`` said of the project.

    Attributes:
      reports: the reports by number.
      located: the reports whose expression tells of its evaluation, and how.
      lines: the text of each instrumented file.
      marked: the rows of each file that announce themselves.
      loops: of reported loops, the rows of the statement and of the first one in its body.
      turning: of reports about loops, where the bodies of these begin.
      effect_rows: the rows of what runs while tracing only, with the numbers of the reports.
      watched_rows: the rows for which it counts whether a trace runs them.
      functions: the names of all functions in these files.
      suspected: what an audit suspects, in the files that were read so far.
    """

    def __init__(self, reports: Sequence[Report]) -> None:
        self.reports = {report.number: report for report in reports}
        self.by_file: dict[str, list[Report]] = {}
        self.functions: set[str] = set()
        self.suspected: list[Report] = []
        for report in reports:
            self.by_file.setdefault(report.filename, []).append(report)
        self.located: dict[int, str] = {}
        self.lines: dict[str, list[str]] = {}
        self.marked: dict[str, frozenset[int]] = {}
        self.loops: dict[int, tuple[int, int]] = {}
        self.turning: dict[int, set[tuple[str, int]]] = {}
        self.effect_rows: dict[tuple[str, int], int] = {}
        self.watched_rows: set[tuple[str, int]] = set()
        self._rows: dict[int, frozenset[int]] = {}
        self._guards: dict[str, tuple[Guarded, ...]] = {}
        self._catching: dict[str, tuple[tuple[int, int], ...]] = {}

    def sites(self, filename: str) -> list[Site]:
        """The reported places of a file, to be instrumented."""
        return [Site(r.number, r.code, r.span) for r in self.by_file.get(filename, ())]

    def suspect(self, reports: Sequence[Report]) -> None:
        """Watch places that nothing is reported at, of a file that is not instrumented yet."""
        for report in reports:
            self.reports[report.number] = report
            self.by_file.setdefault(report.filename, []).append(report)
        self.suspected += reports

    def add(self, filename: str, text: str, made: Instrumented) -> None:
        """Take in a file that was instrumented.

        Args:
          filename: the file.
          text: what the user wrote.
          made: what became of it.
        """
        self.lines[filename] = text.splitlines()
        self._guards[filename] = made.guards
        self._catching[filename] = made.catching
        self._rows |= made.rows
        self.located |= made.located
        self.marked[filename] = frozenset(
            node.lineno for node in ast.walk(made.tree) if isinstance(node, ast.stmt)
        )
        self._add_loops(filename, text)
        self.functions |= {
            node.name for node in ast.walk(made.tree) if isinstance(node, ast.FunctionDef)
        }
        for report in self.by_file.get(filename, ()):
            if report.kind in ("runs-once", "stale"):
                self.effect_rows |= {
                    (filename, row): report.number for row in made.rows[report.number]
                }
                self.watched_rows |= {(filename, row) for row in made.rows[report.number]}
            elif report.kind in ("raises", "leaks"):
                self.watched_rows |= {(filename, row) for row in made.rows[report.number]}
            elif report.kind == "unrolls":
                rows = loop_rows(ast.parse(text), report.span[0])
                if rows is not None:
                    self.loops[report.number] = rows
                    self.watched_rows |= {(filename, row) for row in rows}

    def _add_loops(self, filename: str, text: str) -> None:
        """Note the loops that reports are about: around their places, or on the way there."""
        about = [report for report in self.reports.values() if report.code == "JIT301"]
        nodes = ast.walk(ast.parse(text)) if about else ()
        loops = [n for n in nodes if isinstance(n, ast.For | ast.AsyncFor | ast.While)]
        for report in about:
            rows = {row for name, row in report.chain if name == filename}
            if report.filename == filename:
                rows.add(report.span[0])
            self.turning.setdefault(report.number, set()).update(
                (filename, loop.body[0].lineno)
                for loop in loops
                if any(loop.lineno <= row <= (loop.end_lineno or loop.lineno) for row in rows)
            )

    # -- reports ----------------------------------------------------------------------------------

    def rows(self, report: Report) -> frozenset[int]:
        """The rows of the statement that a report stands in."""
        return self._rows.get(report.number, frozenset())

    def count(self, report: Report, run: RunRecord) -> int:
        """How often a run came to a reported place."""
        if report.number in self.located:
            return run.evaluated[report.number]
        return max((run.rows[report.filename, row] for row in self.rows(report)), default=0)

    def reached(self, report: Report, run: RunRecord) -> bool:
        """Whether a run came to the statement of a report."""
        return self.count(report, run) > 0 or any(
            run.rows[report.filename, row] for row in self.rows(report)
        )

    def match(
        self, filename: str, span: Span, bases: frozenset[str], latest: int | None = None
    ) -> int | None:
        """The report that predicted an exception of such classes at such a place.

        Args:
          filename: of the frame.
          span: of the instruction that was running there.
          bases: the names of the exception's classes.
          latest: the report whose value was evaluated last and is what was asked for.
        """
        best: tuple[float, int] | None = None
        for report in self.by_file.get(filename, ()):
            if report.kind != "raises" or not report.predicts(bases):
                continue
            if span[0] not in self.rows(report):
                # The span of a condition may be that of its whole statement.
                continue
            if report.number == latest:
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

    def at_definition(self, code: CodeType, error: BaseException) -> Report | None:
        """The report at the definition of a function that predicts what its call raises."""
        bases = frozenset(base.__name__ for base in type(error).__mro__)
        for report in self.by_file.get(code.co_filename, ()):
            if (
                report.kind == "raises"
                and report.number not in self.located
                and report.predicts(bases)
                and code.co_firstlineno in self.rows(report)
            ):
                return report
        return None

    def silenced_at(self, filename: str, row: int) -> Report | None:
        """The report of a library that hides what a tracer raises, and gives a wrong result."""
        for report in self.by_file.get(filename, ()):
            if (report.code, report.kind) == ("JIT106", "silently-wrong") and row in self.rows(
                report
            ):
                return report
        return None

    def owner_name(self, report: Report) -> str:
        """What the object is called whose method a report is about: ``log`` in `log.append(x)`."""
        row, column = report.span[:2]
        lines = self.lines.get(report.filename, ())
        text = lines[row - 1][column - 1 :] if row <= len(lines) else ""
        name = text.partition("(")[0].rpartition(".")[0].strip()
        return name or report.function or "the object"

    def attribute_name(self, report: Report) -> str:
        """The attribute that a report of one row is about: ``rate`` of `self.rate`."""
        row, column, end_row, end = report.span
        lines = self.lines.get(report.filename, ())
        text = lines[row - 1][column - 1 : end - 1] if row == end_row <= len(lines) else ""
        return text.rpartition(".")[2]

    # -- frames -----------------------------------------------------------------------------------

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

    def innermost_frame(self, frame: FrameType | None) -> FrameType | None:
        """The innermost frame of instrumented code, whatever stands before it."""
        while frame is not None and frame.f_code.co_filename not in self.lines:
            frame = frame.f_back
        return frame

    def calls_jax(self, caller: FrameType, frame: FrameType | None) -> bool:
        """Whether nothing but JAX stands between a frame and one that has called it."""
        while frame is not None and frame is not caller:
            if not _is_jax(frame.f_code.co_filename):
                return False
            frame = frame.f_back
        return frame is caller

    def frame_span(self, code: CodeType, lasti: int, lineno: int) -> Span:
        """The span of the instruction at an offset."""
        lines = self.lines.get(code.co_filename, [])
        found = next(islice(code.co_positions(), lasti // 2, None), None)
        if found is None or None in found:
            return (lineno, 1, lineno, 10_000)
        row, end_row, start, end = found
        assert row is not None and end_row is not None and start is not None and end is not None
        return (row, code_points(lines, row, start), end_row, code_points(lines, end_row, end))

    def swallowing(self, frame: FrameType | None) -> tuple[str, Guarded] | None:
        """The user's ``try`` that would catch what is raised in a frame."""
        while frame is not None:
            for guard in self._guards.get(frame.f_code.co_filename, ()):
                if guard.first <= frame.f_lineno <= guard.last:
                    return frame.f_code.co_filename, guard
            frame = frame.f_back
        return None

    def may_catch(self, frame: FrameType | None) -> bool:
        """Whether something between a frame and JAX, which traces it, may catch an exception."""
        while frame is not None and not _is_jax(frame.f_code.co_filename):
            for first, last in self._catching.get(frame.f_code.co_filename, ()):
                if first <= frame.f_lineno <= last:
                    return True
            frame = frame.f_back
        return False

    def innermost(self, error: BaseException) -> tuple[str, Span] | None:
        """The file and span of the innermost frame of the user's code in a traceback."""
        found = [step for step in steps(error) if step.tb_frame.f_code.co_filename in self.lines]
        if not found:
            return None
        code = found[-1].tb_frame.f_code
        return code.co_filename, self.frame_span(code, found[-1].tb_lasti, found[-1].tb_lineno)

    def arose_in_library(self, error: BaseException) -> bool:
        """Whether an exception arose in the library code that the probe just called."""
        return not any(step.tb_frame.f_code.co_filename in self.lines for step in steps(error))


def is_of_jax_library(filename: str) -> bool:
    """Whether a file is one of JAX, but for those that only walk trees."""
    return _is_jax(filename) and not filename.endswith(("tree_util.py", "tree.py"))


def _is_jax(filename: str) -> bool:
    normal = filename.replace("\\", "/")
    return "/jax/" in normal or "/jaxlib/" in normal


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
