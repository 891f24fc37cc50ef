"""Programs that take as long as on a slower device.

Runs in a child process only.  Small programs run at once on a CPU, where JAX does not even dispatch
them: a clock that is read without waiting for them is right there, and wrong on any other device.
So that it shows which results the code waits for, an argument of a program can be held back for
some milliseconds, by a program that computes for that long and hands it on.
"""

from __future__ import annotations

from typing import Any

from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.real_jax import real_jax, real_numpy

#: some 50 ms on a processor of today
_TURNS = 2_500_000
#: JAX runs what has fewer operations at once
_SIDE = 64
#: how many arguments are held back in one run, so that it does not take long
_MOST = 20


class HeldBack:
    """Holds back the arguments of programs.

    Args:
      clock: counts compilations, without those that are needed here.
    """

    def __init__(self, clock: CompilationClock) -> None:
        self._clock = clock
        self._left = 0
        self._compiled: dict[object, Any] = {}

    def start(self) -> None:
        """Begin a run."""
        self._left = _MOST

    def arguments(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arguments of a program, of which one becomes ready later; unless none can be held back.

        Args:
          args: on one device, none of them donated.
        """
        numpy = real_numpy()

        # Python numbers are left alone: a program is compiled without some of them.
        plain = (real_jax().Array, numpy.ndarray, numpy.generic)
        for position, argument in enumerate(args):
            if self._left > 0 and isinstance(argument, plain):
                self._left -= 1
                return (*args[:position], self._later(argument), *args[position + 1 :])
        return args

    def _later(self, value: Any) -> Any:
        # Compiled ahead of time: caches are cleared between runs.
        key = (value.shape, value.dtype, getattr(value, "weak_type", False))
        if key not in self._compiled:
            with self._clock.ignored():
                self._compiled[key] = real_jax().jit(_wait).lower(value, _TURNS).compile()
        return self._compiled[key](value, _TURNS)[0]


def _wait(value: Any, turns: Any) -> Any:
    """Hand on a value, after some time."""
    jax = real_jax()
    jnp = jax.numpy

    large = jnp.full((_SIDE, _SIDE), 1e-3) * turns
    count = jax.lax.fori_loop(0, turns, lambda _, x: jnp.sin(x) + 1e-3, 1.0)
    # What were handed on as it is, would not be part of the program.
    return jax.lax.optimization_barrier(value), large @ large, count
