"""Innocent, though it looks like JIT303.

What makes it right: setattr keeps the compiled function.
"""

import jax
import jax.numpy as jnp


class Model:
    def energy(self, x):
        return jnp.sum(x**2)

    def compiled(self, name):
        key = f"_{name}_compiled"
        if not hasattr(self, key):
            setattr(self, key, jax.jit(getattr(self, name)))
        return getattr(self, key)


model = Model()
for turn in range(4):
    print(turn, model.compiled("energy")(jnp.ones(3)))
assert model.compiled("energy")._cache_size() == 1
