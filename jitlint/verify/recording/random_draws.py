"""What is given to the samplers of ``jax.random``: whether one draws the same numbers again.

Runs in a child process only.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

from jitlint.verify.recording.real_jax import real_jax, real_numpy
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.tracers import is_tracer

#: what takes a key and draws nothing
_OTHERS: Final = frozenset({"clone", "fold_in", "key_data", "split"})
#: draws of one run that are told apart
_MOST: Final = 10_000
#: what may stand between the user's code and what it calls
_PROBES: Final = str(Path(__file__).parent)
#: where JAX runs the bodies of loops
_LOOPS: Final = ("control_flow/loops.py", "control_flow\\loops.py")


def install(recorder: Recorder) -> None:
    """Tell a recorder of each draw that the user's code makes.

    Args:
      recorder: has the run at hand, and the places of the user's code.
    """
    module = real_jax().random
    for name, function in sorted(vars(module).items()):
        if name not in _OTHERS and _takes_key(function):
            setattr(module, name, _told(recorder, name, function))


def _takes_key(function: Any) -> bool:
    """Whether something is a function whose first parameter is a key."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    return next(iter(parameters), None) == "key"


def _told(recorder: Recorder, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def draw(*args: Any, **kwargs: Any) -> Any:
        caller: FrameType | None = sys._getframe(1)
        while caller is not None and caller.f_code.co_filename.startswith(_PROBES):
            caller = caller.f_back
        if caller is not None and recorder.places.innermost_frame(caller) is caller:
            _note(recorder, caller, name, args, kwargs)
        return function(*args, **kwargs)

    return draw


def _note(
    recorder: Recorder,
    frame: FrameType,
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    run = recorder.run
    if len(run.draw_calls) >= _MOST:
        return
    rest = dict(kwargs)
    key = args[0] if args else rest.pop("key", None)
    place = (frame.f_code.co_filename, frame.f_lineno)
    # Within one activation: another call of the function may well be given the same key.
    signature = (id(frame), name, _told_apart(key), repr([*map(_told_apart, args[1:]), rest]))
    seen = run.drawn_here.setdefault(place, [0, 0, 0])
    seen[0] += (id(frame), *place) in run.draw_calls
    seen[1] += signature in run.draw_calls
    seen[2] += _is_from_outside(key, frame)
    # What is kept alive keeps its number.
    run.draw_calls[id(frame), *place] = run.draw_calls[signature] = (frame, key)


def _told_apart(value: Any) -> object:
    """What tells a value from others: a tracer by itself, an array by what it holds."""
    if is_tracer(value):
        return ("tracer", id(value))
    # No public function tells what a key holds without an operation, which a trace would take down.
    held = getattr(value, "_base_array", value)
    try:
        return ("array", str(value.dtype), real_numpy().asarray(held).tobytes())
    except Exception:
        return repr(value)


def _is_from_outside(key: Any, frame: FrameType) -> bool:
    """Whether the body of a loop that JAX traces here draws with a key from outside of it."""
    core = sys.modules.get("jax._src.core")
    trace = getattr(getattr(core, "trace_ctx", None), "trace", None)
    if type(trace).__name__ != "DynamicJaxprTrace" or getattr(key, "_trace", None) is trace:
        return False
    caller = frame.f_back
    while caller is not None:
        filename = caller.f_code.co_filename
        if filename.endswith(_LOOPS):
            return True
        if "jax" not in filename:
            return False
        caller = caller.f_back
    return False
