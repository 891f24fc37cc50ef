"""What JAX says of its own work: the jaxprs it makes and the programs it compiles.

The counts come from the events that JAX sends to ``jax.monitoring``, observed under JAX 0.10.2: one
for each jaxpr made and one for each program compiled, none for a call that the cache serves.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from jitlint.verify.recording.real_jax import real_jax

_TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
_COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"


#: jit(step), pmap(step)
_NAME = re.compile(r"\w+\((.*)\)")


class CompilationClock:
    """Counts the jaxprs made and the programs compiled in this process.

    Attributes:
      programs: how often a program of each name has been compiled.
      heard: told of the name of each program, while it is being compiled.
    """

    def __init__(self) -> None:
        self._counts = [0, 0]
        self._ignoring = False
        self.programs: Counter[str] = Counter()
        self.heard: Callable[[str], None] | None = None

    def start(self) -> None:
        """Listen to what JAX says, for as long as the process lives."""
        real_jax().monitoring.register_event_duration_secs_listener(self._listen)

    def _listen(self, event: str, _: float, **details: Any) -> None:
        if self._ignoring:
            return
        if event == _TRACE_EVENT:
            self._counts[0] += 1
        elif event == _COMPILE_EVENT:
            self._counts[1] += 1
            name = _NAME.sub(r"\1", str(details.get("fun_name")))
            self.programs[name] += 1
            if self.heard is not None:
                self.heard(name)

    @contextlib.contextmanager
    def ignored(self) -> Iterator[None]:
        """Count nothing for a while."""
        self._ignoring = True
        try:
            yield
        finally:
            self._ignoring = False

    def read(self) -> tuple[int, int]:
        """Jaxprs and compilations so far."""
        return self._counts[0], self._counts[1]

    def since(self, before: tuple[int, int]) -> tuple[int, int]:
        """Jaxprs and compilations since a reading."""
        return self._counts[0] - before[0], self._counts[1] - before[1]


def compiled_function(frame: FrameType | None, caller: FrameType) -> tuple[str, int] | None:
    """The file and row of the function whose program is being compiled.

    None where nothing on the way from the caller holds what was traced: a program that was lowered
    before is compiled.

    Args:
      frame: one that JAX's announcement runs in.
      caller: of JAX.
    """
    while frame is not None and frame is not caller:
        closed = frame.f_locals.get("jaxpr")
        told = getattr(getattr(closed, "jaxpr", closed), "debug_info", None)
        filename, row = getattr(told, "func_filename", None), getattr(told, "func_lineno", None)
        if isinstance(filename, str) and isinstance(row, int):
            return filename, row
        frame = frame.f_back
    return None
