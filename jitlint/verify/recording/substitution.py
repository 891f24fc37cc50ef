"""Tracers that answer: the fault is recorded, then a substitute lets the program go on.

JAX stops at the first fault of a function.  Here the methods by which Python asks a tracer for a
value first do what JAX does; when that raises in the user's code, the place is recorded and a
plausible value is given instead, each branch in turn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
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
#: functions with fewer operations are compiled in any case
_SMALL = 6
#: how many equations a program may have whose text is compared
_SHOWN = 40


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
    _skip_compilation(recorder)


def _skip_compilation(recorder: Recorder) -> None:
    """Let large functions give ones, uncompiled, once their results mean nothing any more.

    Compiling takes most of the time of a run; after a substitution the values are made up anyway.
    No public hook exists; where the private one is missing, everything is compiled.
    """
    pjit = sys.modules.get("jax._src.pjit")
    original = getattr(pjit, "_pjit_call_impl_python", None)
    if original is None:
        return

    made: dict[object, tuple[Any, Any, Any]] = {}

    def execute(*args: Any, **kwargs: Any) -> Any:
        # JAX forgets how to add two numbers whenever its caches are cleared, which is often.
        key = None if recorder.measuring else _program(args, kwargs)
        if key is None:
            return original(*args, **kwargs)
        if key not in made:
            found = original(*args, **kwargs)
            made[key] = found[1:]
            return found
        compiled, profile, constants = made[key]
        return compiled.unsafe_call(*constants, *args), compiled, profile, constants

    def call(*args: Any, **kwargs: Any) -> Any:
        jaxpr = kwargs.get("jaxpr")
        recorder.keep_program(jaxpr)
        if jaxpr is not None and len(jaxpr.jaxpr.eqns) < 2:
            # An operation outside of any function: nothing was traced by it.
            return execute(*args, **kwargs)
        garbage = recorder.run.substituted and not (recorder.eager or recorder.measuring)
        if garbage and jaxpr is not None:
            outputs = _ones(jaxpr)
            if outputs is not None:
                return outputs, None, None, []
        if recorder.measuring or recorder.eager or any(kwargs.get("donated_invars", ())):
            return execute(*args, **kwargs)
        return recorder.replay(lambda: execute(*args, **kwargs))

    pjit._pjit_call_impl_python = call  # type: ignore[union-attr]


def _program(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object | None:
    """What tells a small program on plain arrays from all others; None where that is unsure."""
    jax = real_jax()
    numpy = real_numpy()

    closed = kwargs.get("jaxpr")
    plain = (jax.Array, numpy.ndarray, numpy.generic, bool, int, float, complex)
    if closed is None or not _transparent(closed) or len(jax.devices()) > 1:
        return None
    if any(kwargs.get("donated_invars", ())) or not all(isinstance(a, plain) for a in args):
        return None
    return (
        str(closed.jaxpr),
        tuple((str(v), v.weak_type) for v in (*closed.in_avals, *closed.out_avals)),
        tuple(getattr(a, "committed", None) for a in args),
        tuple((name, str(value)) for name, value in kwargs.items() if name != "jaxpr"),
        str(jax.config.values),
    )


def _transparent(closed: Any, left: int = _SHOWN) -> bool:
    """Whether the text of a program says all that it does."""
    jaxpr = closed.jaxpr
    if closed.consts or jaxpr.effects or len(jaxpr.eqns) > left:
        return False
    for equation in jaxpr.eqns:
        for value in equation.params.values():
            if hasattr(value, "jaxpr"):
                if equation.primitive.name != "jit" or not _transparent(value, left // 2):
                    return False
            elif callable(value) or hasattr(value, "eqns") or getattr(value, "ndim", 0) > 0:
                return False
    return True


def _ones(jaxpr: Any) -> list[Any] | None:
    """Results of the right shapes; None for what is small, or no plain number."""
    jax = real_jax()
    numpy = real_numpy()

    if len(jaxpr.jaxpr.eqns) < _SMALL or jaxpr.jaxpr.effects:
        return None
    avals = jaxpr.out_avals
    if not all(isinstance(getattr(aval, "dtype", None), numpy.dtype) for aval in avals):
        return None
    if len(jax.devices()) > 1:
        return None
    return [jax.numpy.asarray(numpy.ones(aval.shape, aval.dtype)) for aval in avals]


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
