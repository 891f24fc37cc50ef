"""Tracers that answer: the fault is recorded, then a substitute lets the program go on.

JAX stops at the first fault of a function.  Here the methods by which Python asks a tracer for a
value first do what JAX does; when that raises in the user's code, the place is recorded and a
plausible value is given instead, each branch in turn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy
from jitlint.verify.recording.recorder import Recorder

#: methods of a tracer that need its value
_ASKED = (
    "__bool__",
    "__int__",
    "__float__",
    "__complex__",
    "__index__",
    "__array__",
    "__hash__",
    "__format__",
    "item",
    "tolist",
    "tobytes",
)


def install(recorder: Recorder) -> None:
    """Make the tracers of this process answer.

    Args:
      recorder: is told of every fault, and decides whether to go on.
    """
    jax = real_jax()

    tracer = jax.core.Tracer
    for name in _ASKED:
        # Python itself refuses to hash what has None here, with this message.
        original = getattr(tracer, name) or _unhashable
        setattr(tracer, name, _answering(name, original, recorder))


def _answering(name: str, original: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(self, *args, **kwargs)
        except Exception as error:
            frame = recorder.places.user_frame(sys._getframe(1))
            if frame is None or not recorder.tracer_fault(error, frame, self):
                raise
            return _substitute(name, self, (frame.f_code, frame.f_lasti), recorder)

    method.__name__ = name
    return method


def _unhashable(tracer: Any) -> int:
    raise TypeError(f"unhashable type: {type(tracer).__name__!r}")


def _substitute(name: str, tracer: Any, place: object, recorder: Recorder) -> Any:
    numpy = real_numpy()

    if name == "__bool__":
        return recorder.branches.choose(place)
    if name == "__format__":
        return str(tracer)
    if name == "__hash__":
        return id(tracer)
    simple: dict[str, Any] = {"__int__": 1, "__index__": 1, "__float__": 1.0, "__complex__": 1j}
    if name in simple:
        return simple[name]
    array = numpy.ones(tracer.shape, tracer.dtype)
    return array if name == "__array__" else getattr(array, name)()
