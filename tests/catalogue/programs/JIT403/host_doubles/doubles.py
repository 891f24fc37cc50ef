"""Double precision where NumPy is asked for it, or where nobody insists on it."""

import jax
import jax.numpy as jnp
import numpy as np

REAL = jnp.float64 if jax.config.jax_enable_x64 else jnp.float32


def table(count) -> np.ndarray:
    return np.linspace(0, 1, count, dtype=np.float64).astype("float64")


def kind(x):
    if x.dtype == jnp.float64:
        return "double"
    return {jnp.dtype("float64"): "double"}.get(x.dtype, "single")


@jax.jit
def total(x: "jnp.float64"):
    return jnp.sum(x, dtype=REAL)


def promoted(x):
    return jnp.promote_types(x.dtype, jnp.float32), jax.dtypes.canonicalize_dtype(np.float64)


def back(x):
    return np.asarray(x, dtype=np.float64).sum() + np.float64(1.0)


def main():
    x = jnp.asarray(table(3), dtype=float)
    return table(3), kind(x), total(x), promoted(x), back(x)
