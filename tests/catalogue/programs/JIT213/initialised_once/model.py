"""Parameters from a constant key, on purpose: every run starts alike."""

import jax
import jax.numpy as jnp
import optax


@jax.jit
def init_params():
    w_key, b_key = jax.random.split(jax.random.key(0))
    return {"w": jax.random.normal(w_key, (3, 2)), "b": jax.random.normal(b_key, (2,))}


optimizer = optax.sgd(0.1)


@jax.jit
def train_step(params, state, x):
    grads = jax.grad(lambda p: jnp.sum((x @ p["w"] + p["b"]) ** 2))(params)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state


def main():
    params = init_params()
    state = optimizer.init(params)
    for key in jax.random.split(jax.random.key(1), 2):
        params, state = train_step(params, state, jax.random.normal(key, (4, 3)))
    return params
