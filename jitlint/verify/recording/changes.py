"""Containers that a traced function changes, and whether the change comes back from it.

Runs in a child process only.  JAX takes the containers among a function's arguments apart and makes
new ones for the trace: what changes those is lost, unless it is returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from jitlint.verify.recording.places import Places, is_of_jax_library
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.records import RunRecord
from jitlint.verify.recording.tracers import traced

#: how far results and local names are searched
_DEEP = 4


@dataclass(slots=True)
class _Change:
    """A change in a trace.

    Args:
      report: what stands there.
      root: the frame that JAX called.
      container: what was changed.
      name: what it is called.
      stored: the tracers that were stored.
    """

    report: int
    root: FrameType
    container: Any
    name: str
    stored: list[Any]


class Changes:
    """Follows changes of containers to the end of the functions that JAX has called.

    Args:
      places: where the instrumented code is.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._open: list[_Change] = []

    def begin(self) -> None:
        """Start with a new run."""
        self._open = []

    def changed(
        self, report: int, container: Any, name: str, stored: Any, frame: FrameType, run: RunRecord
    ) -> None:
        """A reported place has changed a container.

        Args:
          report: its number.
          container: what was changed.
          name: what it is called.
          stored: what was put into it.
          frame: of the place.
          run: the run at hand.
        """
        root = self._root(frame)
        if not traced():
            # Without jit, the function has the caller's own.
            if self._is_callers(container, root or frame):
                run.callers.add(report)
            return
        if root is not None:
            tracers = [
                leaf
                for leaf in real_jax().tree.leaves(stored)
                if isinstance(leaf, real_jax().core.Tracer)
            ]
            # The frame that has called the function still has what it was given.
            given = root.f_back.f_locals if root.f_back is not None else {}
            if _holds(list(given.values()), [container]):
                run.arguments_changed.add(report)
            self._open.append(_Change(report, root, container, name, tracers))

    def leaving(self, frame: FrameType, result: Any, run: RunRecord) -> None:
        """A function is about to return."""
        for change in [change for change in self._open if change.root is frame]:
            self._open.remove(change)
            if _holds(result, [change.container, *change.stored]):
                run.returned[change.report] = change.name
            else:
                run.lost[change.report] = change.name

    def settle(self, run: RunRecord) -> None:
        """Once no trace runs: functions that have ended without a result have returned nothing."""
        if self._open and not traced():
            for change in self._open:
                run.lost.setdefault(change.report, change.name)
            self._open = []

    def _root(self, frame: FrameType) -> FrameType | None:
        """The frame of the user's code that JAX has called, at a frame or above it."""
        found: FrameType | None = frame
        while found is not None and found.f_back is not None:
            caller = found.f_back
            mine = found.f_code.co_filename in self._places.lines
            if mine and is_of_jax_library(caller.f_code.co_filename):
                return found
            found = caller
        return None

    def _is_callers(self, container: Any, frame: FrameType) -> bool:
        caller = frame.f_back
        while caller is not None:
            if caller.f_code.co_filename in self._places.lines:
                values = [*caller.f_locals.values()]
                if caller.f_locals is not caller.f_globals:
                    values += caller.f_globals.values()
                if _holds(values, [container]):
                    return True
            caller = caller.f_back
        return False


def _holds(value: Any, wanted: list[Any], depth: int = _DEEP) -> bool:
    """Whether an object leads to one of some others."""
    if any(value is one for one in wanted):
        return True
    if depth == 0 or isinstance(value, str | bytes | type):
        return False
    inner: list[Any] = []
    if isinstance(value, Mapping):
        inner = list(value.values())
    elif isinstance(value, list | tuple | set | frozenset):
        inner = list(value)
    elif type(value).__module__ != "builtins":
        fields = getattr(value, "__dict__", None)
        inner = list(fields.values()) if isinstance(fields, dict) else []
    return any(_holds(item, wanted, depth - 1) for item in inner)
