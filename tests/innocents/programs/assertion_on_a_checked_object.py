"""Innocent, though it looks like JIT103.

What makes it right: __class__ in the trace.
"""

import jax
import jax.numpy as jnp


class Checked:
    def __init__(self, x):
        self.x = x

    @property
    def valid(self):
        return jnp.all(jnp.isfinite(self.x))


class Trusted(Checked):
    @property
    def valid(self):
        return True


@jax.jit
def use(x):
    held = Checked(x)
    held.__class__ = Trusted
    assert held.valid
    return held.x * 2


print(use(jnp.ones(2)))
