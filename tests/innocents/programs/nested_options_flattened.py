"""Looks like a fault of JIT403.

Nested tables of a TOML document are flattened to the names of options.

One of them turns the types of 64 bits on, before the first array is made.
"""
import tomllib

import jax
import jax.numpy as jnp

EXPERIMENT = """
name = "three bodies"

[jax.enable]
x64 = true

[jax.default]
matmul_precision = "highest"
"""


def flatten(table, *path):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flatten(value, *path, key)
        else:
            yield "_".join([*path, key]), value


for option, value in flatten(tomllib.loads(EXPERIMENT)):
    if option.startswith("jax_"):
        jax.config.update(option, value)

MASSES = jnp.array([1.0, 3.0e-6, 3.2e-7], dtype=jnp.float64)


@jax.jit
def centre(positions):
    weights = MASSES / jnp.sum(MASSES, dtype="float64")
    return jnp.sum(weights[:, None] * positions.astype(jnp.float64), axis=0)


def ticks(count):
    return jnp.arange(count, dtype=jnp.int64) * 3_600_000_000


if __name__ == "__main__":
    positions = jnp.array([[0.0, 0.0], [1.0, 0.0], [1.5, 0.0]])
    assert centre(positions).dtype == jnp.float64 == MASSES.dtype
    assert int(ticks(3)[2]) == 7_200_000_000
    assert float(MASSES[2]) == 3.2e-7
