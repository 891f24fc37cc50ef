"""Looks like a fault of JIT203.

A decorator sends what it is called with to the host, by the kind of callback that suits the backend.
"""

import functools

import jax
import jax.numpy as jnp
from jax.experimental import io_callback

EMITTERS = {
    "cpu": functools.partial(io_callback, ordered=True),
    "gpu": functools.partial(io_callback, ordered=True),
    "tpu": io_callback,
}

best_loss = float("inf")
best_step = None


def on_host(fn):
    emit = EMITTERS[jax.default_backend()]

    @functools.wraps(fn)
    def call(*values):
        emit(fn, None, *values)

    return call


@on_host
def remember(step, loss):
    global best_loss, best_step
    if loss < best_loss:
        best_loss = float(loss)
        best_step = int(step)


@jax.jit
def train_step(params, batch, step):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((batch - p) ** 2))(params)
    remember(step, loss)
    return params - 0.25 * grads


if __name__ == "__main__":
    params = jnp.zeros(())
    for step, level in enumerate((4.0, 2.0, 1.0, 9.0)):
        params = train_step(params, jnp.full(3, level), step)
    jax.effects_barrier()
    assert best_step == 1 and best_loss == 0.0, (best_step, best_loss)
    assert train_step._cache_size() == 1
