"""What was pending when the user's code read a clock, and what had been compiled by then.

Runs in a child process only.
"""

from __future__ import annotations

import timeit
from collections import deque
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from jitlint.verify.recording.clocks import LIBRARY, Clocks
from jitlint.verify.recording.held_back import HeldBack
from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.records import Reading, RunRecord, Step
from jitlint.verify.recording.tracers import traced

#: how many results are kept to see whether they are ready, and how many readings of a clock
_MOST_KEPT, _MOST_READINGS = 256, 4096
#: what may stand between the user's code and a clock: the probe, `timeit` and what it makes
_BETWEEN = frozenset({str(Path(__file__).with_name("probe.py")), timeit.__file__, "<timeit-src>"})


class Stopwatch:
    """Looks at the clocks that instrumented code reads.

    Args:
      places: where the instrumented code is.
      clock: counts compilations.
    """

    def __init__(self, places: Places, clock: CompilationClock) -> None:
        self._places = places
        self._clock = clock
        self._held_back = HeldBack(clock)
        self._run: RunRecord | None = None
        self._clocks: Clocks | None = None
        self._dispatched = 0
        self._results: deque[tuple[int, Any]] = deque(maxlen=_MOST_KEPT)

    def install(self) -> None:
        """Replace the clocks of the standard library in this process."""
        self._clocks = Clocks(self._read)
        self._clocks.replace(*LIBRARY)

    def watch(self, module: ModuleType) -> None:
        """Replace the clocks that a module of the user's has imported."""
        if self._clocks is not None:
            self._clocks.replace(module)

    def begin(self, run: RunRecord | None) -> None:
        """Start looking at a run; at none if that is None."""
        self._run = run
        self._dispatched = 0
        self._results.clear()
        self._held_back.start()

    def held_back(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of a program that is about to run, one of them late where that helps."""
        # Before the first reading, nothing is measured.
        measuring = self._run is not None and self._run.readings
        return self._held_back.arguments(args) if measuring else args

    def dispatched(self, results: Any) -> None:
        """A program was dispatched, and has these results."""
        if self._run is None or not self._run.readings:
            return
        self._dispatched += 1
        for result in results:
            # Keys of random numbers are arrays below.
            array = getattr(result, "_base_array", result)
            if hasattr(array, "is_ready"):
                self._results.append((self._dispatched, array))

    def _read(self, frame: FrameType) -> None:
        run = self._run
        if run is None or len(run.readings) >= _MOST_READINGS or traced():
            return
        reader: FrameType | None = frame
        while reader is not None and reader.f_code.co_filename in _BETWEEN:
            reader = reader.f_back
        if reader is None or reader.f_code.co_filename not in self._places.lines:
            # Libraries read clocks as well, JAX among them.
            return
        pending = [
            (number, array)
            for number, array in self._results
            if not array.is_deleted() and not array.is_ready()
        ]
        self._results = deque(pending, maxlen=_MOST_KEPT)
        run.readings.append(
            Reading(
                self._steps(reader),
                tuple(dict.fromkeys(number for number, _ in pending)),
                self._dispatched,
                self._clock.programs.total(),
            )
        )

    def _steps(self, frame: FrameType | None) -> tuple[Step, ...]:
        found = []
        while frame is not None:
            if frame.f_code.co_filename in self._places.lines:
                code = frame.f_code
                # Another frame may have the same identity, once the first is gone.
                found.append(Step((id(frame), id(code)), code.co_filename, frame.f_lineno))
            frame = frame.f_back
        return tuple(found)
