"""Jitted functions that a reported place makes, and what their calls cost to compile."""

from __future__ import annotations

import contextlib
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
#: how many calls of one place are kept
_MOST_CALLS = 1000


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
            recorder.run.inlined[self._report] += traced()
            return self._function(*args, **kwargs)
        jax = real_jax()

        signature = _signature(args, kwargs)
        calls = recorder.run.compiled.setdefault(self._report, [])
        made = self._number
        first = not any(call.made == made for call in calls)
        # What a compilation costs must not come out of the cache on disk.
        cached = jax.config.jax_enable_compilation_cache
        jax.config.update("jax_enable_compilation_cache", False)
        recorder.measuring, recorder.measured_program = True, ""
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
        call.program, recorder.measured_program = recorder.measured_program, ""
        if first and len(calls) < _MOST_REPEATED:
            # What the call would cost if the function had been made before the loop; measured, so
            # that nothing keeps its program, which the cache would then have for an equal function.
            start = time.perf_counter()
            recorder.measuring = True
            try:
                jax.block_until_ready(self._function(*args, **kwargs))
            except Exception:
                pass
            else:
                call.hoisted_milliseconds = (time.perf_counter() - start) * 1000
            finally:
                recorder.measuring = False
        calls.append(call)
        return result


def measured_call(
    recorder: Recorder,
    report: int,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    *,
    exact: bool,
) -> Any:
    """Make a call at a reported place, and keep what was traced and compiled for it.

    Args:
      recorder: is told of it.
      report: the number of the report.
      function: what is called.
      args: its arguments.
      kwargs: those by name.
      exact: calls differ by functions and static arguments that are made anew.
    """
    calls = recorder.run.compiled.setdefault(report, [])
    signature = _signature(args, kwargs, exact=exact)
    before, start = recorder.clock.read(), time.perf_counter()
    result = function(*args, **kwargs)
    spent = (time.perf_counter() - start) * 1000
    traces, compilations = recorder.clock.since(before)
    if len(calls) < _MOST_CALLS:
        call = CompiledCall(len(calls), signature, traces, compilations, spent)
        call.shapes = _signature(args, kwargs)
        calls.append(call)
    return result


def _signature(args: tuple[Any, ...], kwargs: Mapping[str, Any], *, exact: bool = False) -> str:
    """What a call looks like to JAX's cache, or to ``jit``'s if exact.

    Args:
      args: the arguments.
      kwargs: those by name.
      exact: with weak types, and with what is no array by its hash, as for static arguments.
    """
    jax = real_jax()

    def one(leaf: Any) -> str:
        shape = getattr(leaf, "shape", None)
        if isinstance(shape, tuple):
            weak = "weak " if exact and getattr(leaf, "weak_type", False) else ""
            return f"{weak}{leaf.dtype}{list(shape)}"
        kind = type(leaf).__name__
        if exact:
            with contextlib.suppress(TypeError):
                return f"{kind} {hash(leaf)}"
        return kind

    leaves, structure = jax.tree.flatten((args, kwargs))
    return f"{[one(leaf) for leaf in leaves]} {structure}"
