"""Looks like a fault of JIT108.

eval_shape runs the layer without values, and its shapes are plain tuples.

The accumulator is allocated leaf by leaf from what the evaluation says.
"""
import jax
import jax.numpy as jnp
from jax.scipy.signal import convolve2d


def features(image, filters):
    response = jax.vmap(lambda f: convolve2d(image, f, mode="valid"))(filters)
    return {"map": response, "energy": (response**2).sum((1, 2))}


def template(fn, *args):
    return jax.eval_shape(fn, *args)


def empty(specs):
    return jax.tree.map(lambda spec: jnp.zeros(spec.shape, spec.dtype), specs)


@jax.jit
def accumulate(images, filters):
    specs = template(features, images[0], filters)
    count, height, width = specs["map"].shape
    taper = jnp.linspace(0.0, 1.0, height).reshape(height, 1) * jnp.ones(width)

    def add(totals, image):
        return jax.tree.map(jnp.add, totals, features(image, filters)), None

    totals, _ = jax.lax.scan(add, empty(specs), images)
    return totals, jnp.broadcast_to(taper, (count, height, width))


if __name__ == "__main__":
    images = jnp.ones((5, 8, 8))
    filters = jnp.ones((2, 3, 3)) / 9
    totals, taper = accumulate(images, filters)
    assert totals["map"].shape == taper.shape == (2, 6, 6)
    assert jnp.allclose(totals["map"], 5.0)
    assert jnp.allclose(totals["energy"], 5 * 36.0)
