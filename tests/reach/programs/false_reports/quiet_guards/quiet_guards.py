"""Checks that step aside for tracers, in all the ways in which people write it."""

import jax
import jax.numpy as jnp
import numpy as np


def to_concrete(p):
    """What is left after the test is no tracer."""
    if isinstance(p, jax.core.Tracer):
        return p
    array = jnp.asarray(p)
    if array.ndim == 0 and array < 0:
        raise ValueError("negative")
    return np.asarray(array, np.float32) if array.size < 100 else array


def validated(low, high):
    traced = isinstance(low, jax.core.Tracer) or isinstance(high, jax.core.Tracer)
    if not traced and low > high:
        raise ValueError("low is above high")
    return low, high


def is_known(value):
    return not isinstance(value, jax.core.Tracer)


def sign_of(value):
    """As text where that can be had."""
    if is_known(value) and value is not None:
        return "+" if value >= 0 else "-"
    return "?"


def rescaled(values):
    leaves = jax.tree.leaves(values)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return values
    largest = max(float(jnp.max(leaf)) for leaf in leaves)
    return jax.tree.map(lambda leaf: leaf / largest, values)


@jax.jit
def clip(x, low, high):
    low, high = validated(to_concrete(low), to_concrete(high))
    text = sign_of(x)
    values = rescaled({"x": x, "low": low})
    return jnp.clip(values["x"], low, high), len(text)


def main():
    print(clip(jnp.arange(3.0), 0.5, 1.5), to_concrete(2.0), sign_of(-1.0))
    print(validated(1.0, 2.0), rescaled({"a": jnp.array([1.0, 4.0])}))


if __name__ == "__main__":
    main()
