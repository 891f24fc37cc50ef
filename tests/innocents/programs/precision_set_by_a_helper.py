"""Innocent, though it looks like JIT403.

What makes it right: configuration by a computed name.
"""

import jax
import jax.numpy as jnp


def configure(**settings):
    for name, value in settings.items():
        jax.config.update(f"jax_{name}", value)


configure(enable_x64=True)


def moments(x):
    x = jnp.asarray(x, dtype=jnp.float64)
    return x.mean(), x.var()


mean, variance = moments([1.0, 2.0])
print(mean, variance)
assert mean.dtype == jnp.float64
