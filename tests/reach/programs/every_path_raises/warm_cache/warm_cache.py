"""Splines with a cache of knots; filled on the host before compiled code reads it."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

KNOTS = {}
_basis = None


def prepare(degrees):
    """Compute knots and counts once."""
    global _basis
    for degree in degrees:
        KNOTS[degree] = np.linspace(0.0, 1.0, degree + 2)
    _basis = max(KNOTS)
    print("prepared", len(KNOTS))


def knots(degree):
    if degree not in KNOTS:
        raise KeyError(f"degree {degree} was not prepared")
    return KNOTS[degree]


@functools.partial(jax.jit, static_argnames="degree")
def smooth(x, degree):
    grid = knots(degree)
    width = float(grid[1] - grid[0])
    if width > 0.4:
        weights = jnp.exp(-jnp.abs(x[:, None] - grid))
    else:
        weights = jnp.exp(-(((x[:, None] - grid) / width) ** 2))
    return weights.sum(axis=1)


def smoothest(x):
    if _basis is None:
        raise RuntimeError("prepare first")
    values = smooth(x, _basis)
    return float(values.max()) if values.size else 0.0


def main():
    prepare((1, 3))
    x = jnp.linspace(0.0, 1.0, 5)
    print(smooth(x, 1), smoothest(x))


if __name__ == "__main__":
    main()
