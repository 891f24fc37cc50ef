"""Someone was afraid for the memory."""

import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, x):
    return w - 0.1 * (w - x)


@jax.jit
def predict(w, x):
    return jnp.tanh(w * x)


def fit(epochs=3):
    w = jnp.zeros(2)
    for epoch in range(epochs):
        w = train_step(w, jnp.ones(2))
        jax.clear_caches()  # expect: JIT313 @epoch
    return w


def serve(w, x):
    """Called for every request."""
    result = predict(w, x)
    predict.clear_cache()  # expect: JIT313 @request
    return result


def requests(count=3):
    return [serve(jnp.ones(2), jnp.full(2, float(k))) for k in range(count)]
