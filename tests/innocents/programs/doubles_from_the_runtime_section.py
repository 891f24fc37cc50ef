"""Looks like a fault of JIT403.

Every setting in the runtime section of the file is handed to JAX before the first array is made.
"""
import tomllib

import jax
import jax.numpy as jnp

SETTINGS = tomllib.loads("""
[runtime]
jax_enable_x64 = true
jax_default_matmul_precision = "highest"

[solver]
tolerance = 1e-12
dtype = "float64"
""")


def start(settings):
    for name, value in settings["runtime"].items():
        jax.config.update(name, value)
    return settings["solver"]


solver = start(SETTINGS)


@jax.jit
def refine(guess, target):
    guess = guess.astype(jnp.float64)
    for _ in range(6):
        guess = 0.5 * (guess + target / guess)
    return guess


if __name__ == "__main__":
    root = refine(jnp.asarray(1.5, dtype=jnp.float32), jnp.array(2.0, dtype=solver["dtype"]))
    assert root.dtype == jnp.float64
    assert abs(float(root) ** 2 - 2.0) < solver["tolerance"]
    assert jnp.arange(3, dtype=jnp.int64).sum() == 3
    assert jnp.zeros(2, dtype="float64").dtype.itemsize == 8
