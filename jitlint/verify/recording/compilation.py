"""Jitted functions that a reported place makes, and what their calls cost to compile."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from typing import Any

from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import CompiledCall
from jitlint.verify.recording.tracers import traced

#: how many calls of one place are also made once more, to see what they cost without compiling
_MOST_REPEATED = 8


class JitStandIn:
    """Stands in for a jitted function.

    Args:
      function: the jitted function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function, updated=())
        self._function = function

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __hash__(self) -> int:
        return hash(self._function)

    def __eq__(self, other: object) -> bool:
        return self is other or self._function == other

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self._function(*args, **kwargs)


class MeasuredJit(JitStandIn):
    """A jitted function whose calls are measured.

    Args:
      recorder: is told of them.
      report: the number of the report at the place that made it.
      function: the jitted function.
    """

    def __init__(self, recorder: Recorder, report: int, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._recorder = recorder
        self._report = report
        # Nothing else may keep the function alive: that would keep its cache entry alive too.
        self._number = recorder.run.made[report]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and keep what was traced and compiled for it."""
        recorder = self._recorder
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
        if first and len(calls) < _MOST_REPEATED:
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


def _signature(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    jax = real_jax()

    def one(leaf: Any) -> str:
        shape = getattr(leaf, "shape", None)
        return f"{type(leaf).__name__}" if shape is None else f"{leaf.dtype}{list(shape)}"

    leaves, structure = jax.tree.flatten((args, kwargs))
    return f"{[one(leaf) for leaf in leaves]} {structure}"
