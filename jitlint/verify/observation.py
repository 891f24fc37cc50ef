"""What happens during a call, measured: tracings, compilations, leaked tracers, effects.

Runs in a child process only, next to the program under observation.  The counts come from the
events that JAX sends to ``jax.monitoring``, observed under JAX 0.10.2: one of each per jaxpr made
and per program compiled, none for a call that the cache serves.

Silent harm is seen from outside.  A leak is a tracer in what a module holds after the call
(``leaked``).  What runs once is an effect of the first call that later calls with other values of
the same shapes lack (``effects``, ``other_values``); without jit, every call has it.  What is stale
is a result that repeats under jit and changes without.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import logging
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, MappingProxyType
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


def leaked(namespace: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a module holds tracers, although no trace runs: ``history[0]``, ``trainer.last``.

    Args:
      namespace: the module's globals.
    """
    import jax

    return tuple(path for path, value in _held(namespace) if isinstance(value, jax.core.Tracer))


def effects(call: Callable[[], Any], namespace: Mapping[str, Any]) -> frozenset[str]:
    """What a call does besides returning a result.

    Args:
      call: runs the program once.
      namespace: the globals of the module whose state is watched.

    Returns:
      ``output``, ``log``, ``warning``, the files below the working directory that were written,
      and the places of the module's state that changed.
    """
    # Untyped, as not every JAX release types what is called here.
    jax: Any = importlib.import_module("jax")
    records = _Records()
    root = logging.getLogger()
    level = root.level
    text = io.StringIO()
    state, files = _state(namespace), _files()
    root.addHandler(records)
    root.setLevel(logging.DEBUG)
    try:
        with (
            contextlib.redirect_stdout(text),
            contextlib.redirect_stderr(text),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always")
            call()
            # Callbacks run beside the computation.
            jax.effects_barrier()
    finally:
        root.setLevel(level)
        root.removeHandler(records)
    found = _changed(state, _state(namespace)) | _changed(files, _files())
    found |= {
        name
        for name, happened in (
            ("output", text.getvalue()),
            # What JAX itself logs is no effect of the program.
            ("log", [name for name in records.names if not name.startswith("jax")]),
            ("warning", warned),
        )
        if happened
    }
    return frozenset(found)


def other_values(arguments: Any, turn: int) -> Any:
    """Arguments with other values of the same shapes and dtypes; ``turn`` 0 gives the same ones.

    Only arrays of numbers change: Python values may be static, and other ones would trace anew.
    """
    import jax
    import numpy

    def other(leaf: Any) -> Any:
        if isinstance(leaf, (jax.Array, numpy.ndarray)):
            if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
                return jax.random.fold_in(leaf, turn) if turn else leaf
            if jax.numpy.issubdtype(leaf.dtype, numpy.number):
                return (leaf + turn).astype(leaf.dtype)
        return leaf

    return jax.tree.map(other, arguments)


class _Records(logging.Handler):
    """Remembers from whom log records came."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.names: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.names.append(record.name)


def _files() -> dict[str, str]:
    found = {}
    for path in Path.cwd().rglob("*"):
        if path.is_file():
            status = path.stat()
            found[str(path.relative_to(Path.cwd()))] = f"{status.st_mtime_ns} {status.st_size}"
    return found


def _state(namespace: Mapping[str, Any]) -> dict[str, str]:
    return {path: repr(value) for path, value in _held(namespace)}


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {path for path in {*before, *after} if before.get(path) != after.get(path)}


def _held(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arrays and plain values that a module's globals lead to, each with a path.

    Followed are containers, and what the module itself made: the attributes of instances of its
    classes, and the defaults, closures and attributes of its functions, also below a transform.
    """
    import jax
    import numpy

    plain = (jax.Array, numpy.ndarray, numpy.generic, int, float, complex, str, bytes, type(None))
    home = namespace.get("__name__")
    queue = deque((name, value) for name, value in namespace.items() if not name.startswith("__"))
    seen: set[int] = set()
    # Keeps temporary objects alive, so that no id in ``seen`` is given out again.
    kept: list[Any] = []
    while queue:
        path, value = queue.popleft()
        if isinstance(value, plain):
            yield path, value
            continue
        if id(value) in seen:
            continue
        seen.add(id(value))
        kept.append(value)
        queue.extend((f"{path}{step}", inner) for step, inner in _within(value, home))


def _within(value: Any, home: str | None) -> Iterator[tuple[str, Any]]:
    """What a container, function or object of a module's own classes leads to in one step."""
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, (list, tuple, deque)):
        yield from ((f"[{position}]", item) for position, item in enumerate(value))
    elif isinstance(value, (set, frozenset)):
        yield from (("{...}", item) for item in value)
    elif isinstance(value, functools.partial):
        yield from ((".args", value.args), (".keywords", value.keywords), ("", value.func))
    elif getattr(value, "__module__", None) != home:
        return
    elif isinstance(value, type):
        # A class has functions and slots of its own; tracers can only be among the rest.
        yield from ((f".{name}", item) for name, item in vars(value).items() if name[:2] != "__")
    else:
        if isinstance(value, FunctionType):
            yield ".__defaults__", value.__defaults__
            yield ".__kwdefaults__", value.__kwdefaults__
            yield from _cells(value)
        # The function below a jitted one stands in its ``__wrapped__``.
        wrapped = getattr(value, "__wrapped__", None)
        if wrapped is not None:
            yield "", wrapped
        attributes = getattr(value, "__dict__", {})
        if isinstance(attributes, (dict, MappingProxyType)):
            yield from (
                (f".{name}", item) for name, item in attributes.items() if name != "__wrapped__"
            )


def _cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        # A cell is empty until its variable is bound.
        with contextlib.suppress(ValueError):
            yield f".{name}", cell.cell_contents


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
