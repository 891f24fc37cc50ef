"""Innocent, though it looks like JIT105.

What makes it right: monkeypatch of a class.
"""

import jax
import jax.numpy as jnp


class Integrator:
    def step_size(self, error):
        return min(1.0, 0.9 / float(error))

    def advance(self, y, error):
        return y + self.step_size(error)


def differentiable_step_size(self, error):
    return jnp.minimum(1.0, 0.9 / error)


Integrator.step_size = differentiable_step_size
integrator = Integrator()
print(jax.jit(integrator.advance)(jnp.ones(2), 0.3))
