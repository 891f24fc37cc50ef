"""Which functions of the user's JAX traces while a test runs, and with what arguments.

JAX tells of each trace that it makes for a program (``jax.monitoring``), by the name of the
function. What that was called with is seen where the function begins. Only the outermost trace
counts: what it calls is part of it.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FrameType
from typing import Any

from jitlint.integrations.pytest.signatures import Signature, arguments_of, signature
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.tracers import traced

_TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
_LIBRARIES = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)


@dataclass(frozen=True)
class Trace:
    """A trace that JAX has made.

    Args:
      code: of the function.
      arguments: what it was traced with.
    """

    code: CodeType
    arguments: Signature

    @property
    def place(self) -> str:
        """The function, as it is shown."""
        return f"{self.code.co_qualname} ({self.code.co_filename}:{self.code.co_firstlineno})"


class _Listener:
    """Hands the names of what JAX traces to whoever listens; JAX has no way to stop telling."""

    def __init__(self) -> None:
        self._heard: list[Callable[[str], None]] = []
        self._installed = False

    @contextmanager
    def told(self, hear: Callable[[str], None]) -> Iterator[None]:
        """Tell of each trace, for a while."""
        if not self._installed:
            self._installed = True
            real_jax().monitoring.register_event_duration_secs_listener(self._listen)
        self._heard.append(hear)
        try:
            yield
        finally:
            self._heard.remove(hear)

    def _listen(self, event: str, _: float, **details: Any) -> None:
        if event == _TRACE_EVENT:
            for hear in self._heard:
                hear(str(details.get("fun_name")))


_LISTENER = _Listener()


class Traces:
    """Takes down traces, as a context manager.

    Args:
      last: a function whose end is told, while what it holds is still there.
      ending: is told.

    Attributes:
      made: the traces, in their order.
    """

    def __init__(
        self, last: CodeType | None = None, ending: Callable[[], None] | None = None
    ) -> None:
        self.made: list[Trace] = []
        self._last = last
        self._ending = ending
        self._begun: list[Trace] = []
        self._outermost: FrameType | None = None

    @contextmanager
    def taken_down(self) -> Iterator[None]:
        """Watch, for a while; a profiler that is there goes on afterwards."""
        before = sys.getprofile()
        with _LISTENER.told(self._told):
            sys.setprofile(self._profile)
            try:
                yield
            finally:
                sys.setprofile(before)

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            if is_users(frame.f_code.co_filename) and traced():
                self._enter(frame)
        elif event == "return":
            if frame is self._outermost:
                self._outermost = None
            if frame.f_code is self._last and self._ending is not None:
                self._ending()

    def _enter(self, frame: FrameType) -> None:
        caller = frame.f_back
        if caller is not None and is_users(caller.f_code.co_filename):
            return
        if self._outermost is None:
            self._outermost = frame
            self._begun.clear()
        self._begun.append(Trace(frame.f_code, signature(arguments_of(frame))))

    def _told(self, name: str) -> None:
        named = (number for number, one in enumerate(self._begun) if one.code.co_name == name)
        number = next(named, None)
        if number is not None:
            self.made.append(self._begun[number])
            self._begun.clear()


@cache
def is_users(filename: str) -> bool:
    """Whether a file is the user's, neither installed nor made up."""
    return not filename.startswith(("<", *_LIBRARIES)) and "site-packages" not in filename
