"""What happens during a call, measured: compilations, leaked tracers, effects.

For the cases of labelled programs; runs in a child process only, next to the program under
observation.

Silent harm is seen from outside.  A leak is a tracer in what a module holds after the call
(``leaked``).  What runs once is an effect of the first call that later calls with other values of
the same shapes lack (``effects``, ``other_values``); without jit, every call has it.  What is stale
is a result that repeats under jit and changes without.
"""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any

from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.real_jax import real_jax, real_numpy
from jitlint.verify.recording.tracers import cached, is_tracer

__all__ = ["compilations", "effects", "is_tracer", "leaked", "printed", "raises_type_error"]


def compilations(call: Callable[[], Any]) -> int:
    """How many programs JAX compiles during a call.

    Operations outside a transform compile too, once per shape: run them before what is measured.
    """
    clock = _clock()
    before = clock.read()
    call()
    return clock.since(before)[1]


@functools.cache
def _clock() -> CompilationClock:
    clock = CompilationClock()
    clock.start()
    return clock


def raises_type_error(call: Callable[[], Any]) -> bool:
    """Whether a call raises TypeError."""
    try:
        call()
    except TypeError:
        return True
    return False


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
    tracer = real_jax().core.Tracer
    return tuple(path for path, value in _held(namespace) if isinstance(value, tracer))


def effects(call: Callable[[], Any], namespace: Mapping[str, Any]) -> frozenset[str]:
    """What a call does besides returning a result.

    Args:
      call: runs the program once.
      namespace: the globals of the module whose state is watched.

    Returns:
      ``output``, ``log``, ``warning``, the files below the working directory that were written,
      and the places of the module's state that changed.
    """
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
            real_jax().effects_barrier()
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
    jax, numpy = real_jax(), real_numpy()
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
    elif isinstance(value, functools._lru_cache_wrapper):
        yield from ((f".cache[{number}]", item) for number, item in enumerate(cached(value)))
        yield "", value.__wrapped__
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
