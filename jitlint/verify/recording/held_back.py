"""Programs that take as long as on a slower device.

Runs in a child process only.  Small programs run at once on a CPU, where JAX does not even dispatch
them: a clock that is read without waiting for them is right there, and wrong on any other machine.
So that it shows which results the code waits for, the arguments of a program can be held back for
some milliseconds, by a program that computes for that long and hands them on.
"""

from __future__ import annotations

from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy

#: some 50 ms on a processor of today
_TURNS = 2_500_000
#: JAX runs what has fewer operations at once
_SIDE = 64
#: how many arguments are held back in one run, so that it does not take long
_MOST = 20


class HeldBack:
    """Holds back the arguments of programs.

    Attributes:
      left: how many more may be held back.
    """

    def __init__(self) -> None:
        self.left = 0
        self._wait: Any = None

    def start(self) -> None:
        """Begin a run."""
        self.left = _MOST

    def arguments(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arguments of a program, of which one becomes ready later; unless none can be held back.

        Args:
          args: on one device, none of them donated.
        """
        jax = real_jax()
        numpy = real_numpy()

        if self.left <= 0:
            return args
        plain = (jax.Array, numpy.ndarray, numpy.generic, bool, int, float, complex)
        for position, argument in enumerate(args):
            if isinstance(argument, plain) and not isinstance(argument, jax.core.Tracer):
                self.left -= 1
                return (*args[:position], self._later(argument), *args[position + 1 :])
        return args

    def _later(self, value: Any) -> Any:
        jax = real_jax()
        jnp = jax.numpy

        if self._wait is None:

            def wait(value: Any, turns: Any) -> Any:
                large = jnp.full((_SIDE, _SIDE), 1e-3) * turns
                count = jax.lax.fori_loop(0, turns, lambda _, x: jnp.sin(x) + 1e-3, 1.0)
                return jax.lax.optimization_barrier(value), large @ large, count

            self._wait = jax.jit(wait)
        return self._wait(value, _TURNS)[0]
