"""Exceptions on their way out of a trace: whether the traced code catches them itself.

Runs in a child process only.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from jitlint.verify.recording.exceptions import chain
from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.records import RunRecord
from jitlint.verify.recording.tracers import traced


@dataclass(frozen=True, eq=False, slots=True)
class _Raised:
    """What a reported place has raised, and which traces had ended by then."""

    report: int
    error: BaseException
    traces: tuple[int, int]


class Escaping:
    """Follows what reported places raise, where something in the traced code may catch it.

    Args:
      clock: counts the traces that come to an end.
    """

    def __init__(self, clock: CompilationClock) -> None:
        self._clock = clock
        self._under_way: list[_Raised] = []

    def begin(self) -> None:
        """A run begins."""
        self._under_way = []

    def raised(self, report: int, error: BaseException, run: RunRecord) -> None:
        """A reported place raises an exception, and nothing stands in for it."""
        if report in run.catchable:
            self._under_way.append(_Raised(report, error, self._clock.read()))

    def statement(self, run: RunRecord) -> None:
        """A statement is about to run."""
        if not self._under_way:
            return
        handling = sys.exc_info()[1]
        causes = () if handling is None else tuple(chain(handling))
        tracing = traced()
        for one in [*self._under_way]:
            caught = not any(cause is one.error for cause in causes)
            if caught and (tracing or self._clock.since(one.traces)[0]):
                # Whoever caught it has ended by now, and the trace went on.
                run.handled.add(one.report)
            elif tracing:
                # A handler, or what is to be done in any case: it may be raised again.
                continue
            elif not caught:
                run.escaped.add(one.report)
            self._under_way.remove(one)

    def ended(self, run: RunRecord, error: BaseException | None) -> None:
        """The run has ended, by an exception or without one."""
        causes = () if error is None else tuple(chain(error))
        for one in self._under_way:
            if any(cause is one.error for cause in causes):
                run.escaped.add(one.report)
            elif self._clock.since(one.traces)[0]:
                run.handled.add(one.report)
        self._under_way = []
