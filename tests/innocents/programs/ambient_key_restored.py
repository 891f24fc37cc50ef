"""Looks like a fault of JIT203.

The block that binds the traced key to a global name restores the old binding before the trace ends.
"""
import contextlib

import jax
import jax.numpy as jnp

_KEY = None


@contextlib.contextmanager
def seeded(key):
    """Layers in the block draw from `key`; what was there before comes back, also after an error."""
    global _KEY
    previous = _KEY
    _KEY = key
    try:
        yield
    finally:
        _KEY = previous


def next_key():
    global _KEY
    if _KEY is None:
        raise RuntimeError("layer with noise outside of `with seeded(key)`")
    _KEY, sub = jax.random.split(_KEY)
    return sub


def dropout(x, rate):
    keep = jax.random.bernoulli(next_key(), 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


@jax.jit
def loss(params, x, y, key):
    with seeded(key):
        h = dropout(jnp.tanh(x @ params["w1"]), 0.5)
        h = dropout(h, 0.1)
    return jnp.mean((h @ params["w2"] - y) ** 2)


if __name__ == "__main__":
    k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
    params = {"w1": jax.random.normal(k1, (4, 32)), "w2": jax.random.normal(k2, (32, 1))}
    x, y = jnp.ones((8, 4)), jnp.zeros((8, 1))
    a, b = loss(params, x, y, k1), loss(params, x, y, k2)
    assert not jnp.allclose(a, b)
    assert jnp.allclose(a, loss(params, x, y, k1))
    assert _KEY is None
    with seeded(k3):
        grads = jax.grad(loss)(params, x, y, next_key())
        # what the block binds outside of the trace is concrete, inside it came back
        assert not isinstance(_KEY, jax.core.Tracer)
        assert dropout(jnp.ones(4), 0.5).shape == (4,)
    assert _KEY is None and jnp.isfinite(grads["w1"]).all()
    with jax.checking_leaks():
        jax.jit(jax.grad(loss))(params, x, y, k3)
    assert loss._cache_size() == 1
