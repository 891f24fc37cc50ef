"""Looks like a fault of JIT403.

methodcaller and a table of functions ask NumPy for the doubles.

`jnp.float64` is only the name of a dtype here; the sums are NumPy's.
"""
import operator

import jax
import jax.numpy as jnp
import numpy as np

REDUCTIONS = {
    "exact": (np, operator.methodcaller("astype", jnp.float64)),
    "quick": (jnp, operator.methodcaller("astype", jnp.float32)),
}


def total(values, how):
    library, convert = REDUCTIONS[how]
    if how == "exact":
        values = jax.device_get(values)
        return library.sum(convert(values), dtype=jnp.float64)
    return library.sum(convert(values))


@jax.jit
def charges(field):
    return field - jnp.roll(field, 1)


def audit(field):
    found = charges(field)
    return total(found, "exact"), total(found, "quick")


if __name__ == "__main__":
    field = jnp.array([1.0e8, 1.0, -1.0e8, 3.0])
    exact, quick = audit(field)
    assert isinstance(exact, np.float64) and exact.dtype == np.float64
    assert isinstance(quick, jax.Array) and quick.dtype == jnp.float32
    third = total(jnp.full(3, 1 / 3), "exact")
    assert third == 3 * np.float64(np.float32(1 / 3))
