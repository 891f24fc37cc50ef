"""Looks like a fault of JIT207.

A cached property keeps the draw on the object, so that with and without jit there is only one of it.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


class FourierFeatures:
    """Random features of a Gaussian kernel; a model has the same ones as long as it lives."""

    def __init__(self, inputs, count, width=1.0):
        self.inputs = inputs
        self.count = count
        self.width = width

    @functools.cached_property
    def frequencies(self):
        draw = np.random.normal(0.0, 1.0 / self.width, (self.inputs, self.count))
        return draw.astype(np.float32)

    def __call__(self, x):
        phase = x @ self.frequencies
        return jnp.concatenate([jnp.cos(phase), jnp.sin(phase)], -1) / self.count**0.5


features = FourierFeatures(2, 2000)


@jax.jit
def gram(x):
    phi = features(x)
    return phi @ phi.T


@jax.jit
def predict(x, train, dual):
    return features(x) @ (features(train).T @ dual)


if __name__ == "__main__":
    x = jnp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    kernel = jnp.exp(-0.5 * jnp.sum((x[:, None] - x) ** 2, -1))
    assert jnp.allclose(gram(x), kernel, atol=0.1)
    dual = jnp.linalg.solve(gram(x) + 1e-4 * jnp.eye(3), jnp.array([1.0, -1.0, 0.5]))
    assert jnp.allclose(predict(x, x, dual), jnp.array([1.0, -1.0, 0.5]), atol=1e-2)
    phi = features(x)
    assert jnp.allclose(phi @ phi.T, gram(x), atol=1e-4)
    assert jnp.allclose(gram(x[:2]), gram(x)[:2, :2], atol=1e-5)
