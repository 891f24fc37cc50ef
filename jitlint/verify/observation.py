"""What JAX does during a call, measured: tracings, compilations, leaked tracers, printed text.

Runs in a child process only, next to the program under observation.  The counts come from the
events that JAX sends to ``jax.monitoring``, observed under JAX 0.10.2: one of each per jaxpr made
and per program compiled, none for a call that the cache serves.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any

TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"


def tracings(call: Callable[[], Any]) -> int:
    """How many jaxprs JAX makes during a call."""
    return len(_events(TRACE_EVENT, call))


def compilations(call: Callable[[], Any]) -> int:
    """How many programs JAX compiles during a call.

    Operations outside a transform compile too, once per shape: run them before what is measured.
    """
    return len(_events(COMPILE_EVENT, call))


def is_tracer(value: Any) -> bool:
    """Whether a value, or any leaf of it, is a tracer: outside of its trace, it has leaked."""
    import jax

    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))


def printed(call: Callable[[], Any]) -> str:
    """What a call writes to standard output."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        call()
    return text.getvalue()


def _events(name: str, call: Callable[[], Any]) -> list[float]:
    durations: list[float] = []

    def listen(event: str, duration: float, **_: Any) -> None:
        if event == name:
            durations.append(duration)

    with _listening(listen):
        call()
    return durations


@contextlib.contextmanager
def _listening(listen: Callable[..., None]) -> Iterator[None]:
    import jax

    # The public interface can only add listeners: one stays for good and calls whoever listens.
    if not _LISTENERS:
        jax.monitoring.register_event_duration_secs_listener(_dispatch)
        _LISTENERS.append(lambda *_, **__: None)
    _LISTENERS.append(listen)
    try:
        yield
    finally:
        _LISTENERS.remove(listen)


_LISTENERS: list[Callable[..., None]] = []


def _dispatch(event: str, duration_secs: float, **values: Any) -> None:
    for listen in tuple(_LISTENERS):
        listen(event, duration_secs, **values)
