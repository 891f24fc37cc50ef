"""Looks like a fault of JIT112.

The decorator reads the annotations, and makes Python scalars static.
"""
import typing

import jax
import jax.numpy as jnp

SCALARS = (bool, int, float, str)


def compiled(fn):
    """Compile `fn`; arguments that are annotated as Python scalars are static."""
    hints = typing.get_type_hints(fn)
    names = [name for name, hint in hints.items() if name != "return" and hint in SCALARS]
    return jax.jit(fn, static_argnames=names)


@compiled
def resize(image: jax.Array, factor: float) -> jax.Array:
    if isinstance(factor, int):
        return jnp.repeat(jnp.repeat(image, factor, 0), factor, 1)
    shape = tuple(round(side * factor) for side in image.shape)
    return jax.image.resize(image, shape, "linear")


@compiled
def normalise(image: jax.Array, per_row: bool = False) -> jax.Array:
    axis = 1 if per_row is True else None
    return image - image.mean(axis=axis, keepdims=True)


if __name__ == "__main__":
    image = jnp.arange(12.0).reshape(3, 4)
    assert resize(image, 2).shape == (6, 8)
    assert jnp.array_equal(resize(image, 2)[0, :2], jnp.zeros(2))
    assert resize(image, 0.5).shape == (2, 2)
    assert jnp.allclose(normalise(image, True).sum(1), 0.0)
    assert not jnp.allclose(normalise(image).sum(1), 0.0)
