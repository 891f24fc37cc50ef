"""Innocent, though it looks like JIT214.

What makes it right: property returns what was changed.
"""

import jax
import jax.numpy as jnp


class Box:
    def __init__(self, values):
        self.values = values

    @property
    def contents(self):
        return dict(self.values)


@jax.jit
def update(params, grads):
    box = Box(params)
    for name in grads:
        params[name] = params[name] - 0.1 * grads[name]
    return box.contents


print(update({"w": jnp.ones(2)}, {"w": jnp.ones(2)}))
