"""Sees reported lines run under a trace, and costs next to nothing where there are none.

From Python 3.12 on the interpreter itself is asked about the reported functions alone
(``sys.monitoring``); before, a trace function looks at every call.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from jitlint.verify.recording.tracers import traced

#: the numbers that ``sys.monitoring`` leaves to whoever comes first
_FREE_TOOLS = (3, 4)

#: is told of the row and the frame in which it ran; whether to go on with this row
Reached = Callable[[str, int, FrameType], bool]
#: the reported rows of each file
Rows = Mapping[str, frozenset[int]]


def watcher(rows: Rows, reached: Reached) -> Watcher | None:
    """What watches lines; None where something else is in the way.

    Args:
      rows: the reported rows of each file.
      reached: is told when one of them runs under a trace.
    """
    if sys.version_info >= (3, 12):
        free = (tool for tool in _FREE_TOOLS if sys.monitoring.get_tool(tool) is None)
        tool = next(free, None)
        return None if tool is None else _Monitor(rows, reached, tool)
    return None if sys.gettrace() is not None else _TraceFunction(rows, reached)


class Watcher:
    """Watches lines while it is installed.

    Args:
      rows: the reported rows of each file.
      reached: is told when one of them runs under a trace.
    """

    def __init__(self, rows: Rows, reached: Reached) -> None:
        self._rows = rows
        self._reached = reached
        self._done: set[tuple[str, int]] = set()

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Watch for a while."""
        raise NotImplementedError

    def _rows_in(self, code: CodeType) -> frozenset[int]:
        """The reported rows of a function that are not done with."""
        rows = self._rows.get(code.co_filename)
        if not rows:
            return frozenset()
        lines = {line for *_, line in code.co_lines() if line is not None}
        return frozenset(row for row in rows & lines if (code.co_filename, row) not in self._done)

    def _ran(self, row: int, frame: FrameType) -> bool:
        """Tell that a row ran; whether it is still of interest."""
        filename = frame.f_code.co_filename
        # Before JAX is imported, nobody can say.
        if "jax" in sys.modules and traced() and not self._reached(filename, row, frame):
            self._done.add((filename, row))
            return False
        return True


class _TraceFunction(Watcher):
    @contextmanager
    def installed(self) -> Iterator[None]:
        """Watch for a while."""
        known: dict[CodeType, Any] = {}

        def enter(frame: FrameType, event: str, argument: object) -> Any:
            code = frame.f_code
            try:
                return known[code]
            except KeyError:
                local = known[code] = self._local(self._rows_in(code))
                return local

        threading.settrace(enter)
        sys.settrace(enter)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)

    def _local(self, rows: Iterable[int]) -> Any:
        left = set(rows)
        if not left:
            return None

        def line(frame: FrameType, event: str, argument: object) -> Any:
            row = frame.f_lineno
            if event == "line" and row in left and not self._ran(row, frame):
                left.discard(row)
            return line if left else None

        return line


class _Monitor(Watcher):
    def __init__(self, rows: Rows, reached: Reached, tool: int) -> None:
        super().__init__(rows, reached)
        self._tool = tool

    if sys.version_info >= (3, 12):

        @contextmanager
        def installed(self) -> Iterator[None]:
            """Watch for a while."""
            monitoring, events = sys.monitoring, sys.monitoring.events
            monitoring.use_tool_id(self._tool, "jitlint")
            monitoring.register_callback(self._tool, events.PY_START, self._start)
            monitoring.register_callback(self._tool, events.LINE, self._line)
            monitoring.set_events(self._tool, events.PY_START)
            try:
                yield
            finally:
                monitoring.set_events(self._tool, events.NO_EVENTS)
                for event in (events.PY_START, events.LINE):
                    monitoring.register_callback(self._tool, event, None)
                monitoring.free_tool_id(self._tool)

        def _start(self, code: CodeType, _: int) -> Any:
            # Asked once for each function: what is not reported is never asked about again.
            if self._rows_in(code):
                line = sys.monitoring.events.LINE
                sys.monitoring.set_local_events(self._tool, code, line)
            return sys.monitoring.DISABLE

        def _line(self, code: CodeType, row: int) -> Any:
            if row not in self._rows.get(code.co_filename, ()):
                return sys.monitoring.DISABLE
            return None if self._ran(row, sys._getframe(1)) else sys.monitoring.DISABLE
