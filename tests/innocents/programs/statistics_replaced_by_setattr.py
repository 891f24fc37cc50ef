"""Innocent, though it looks like JIT105.

What makes it right: setattr in the trace.
"""

import jax
import jax.numpy as jnp


class Summary:
    def __init__(self, x):
        self.mean = jnp.mean(x)
        self.size = jnp.size(x)

    def describe(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)
        return self


@jax.jit
def centre(x, options=()):
    summary = Summary(x).describe(**{"mean": 0, **dict(options)})
    return x - int(summary.mean)


print(centre(jnp.ones(3)))
