"""The loop that all schemes share."""

import abc

import jax
import jax.numpy as jnp


class Integrator(abc.ABC):
    """Advances ``dy/dt = field(t, y)``; a scheme says by how much.

    Args:
      field: the right hand side.
      dt: the length of a step.
      guarded: whether to stop when the solution explodes.
    """

    order = 1

    def __init__(self, field, dt=0.1, guarded=False):
        self.field = field
        self.dt = dt
        self.guarded = guarded

    @abc.abstractmethod
    def increment(self, t, y):
        """The change of ``y`` during one step."""

    def local_error(self, t, y):
        """An estimate of the error; schemes without one say so."""
        raise NotImplementedError(f"{type(self).__name__} has no error estimate")

    def step(self, carry, _):
        t, y = carry
        after = y + self.increment(t, y)
        if self.guarded:
            if not jnp.all(jnp.isfinite(after)):  # expect: JIT101 @finite
                raise FloatingPointError("the solution exploded")
        return (t + self.dt, after), after

    def solve(self, y0, steps):
        """The trajectory."""
        _, path = jax.lax.scan(self.step, (0.0, y0), None, length=steps)
        return path

    def quality(self, y):
        """How many digits one step keeps."""

        @jax.jit
        def digits(y):
            error = self.local_error(0.0, y)
            return -int(jnp.log10(error))  # expect: JIT105 @digits

        return digits(y)
