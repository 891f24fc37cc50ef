"""Inference for a model in Haiku."""

import functools

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(x):
    return hk.nets.MLP([4, 1])(x)


model = hk.without_apply_rng(hk.transform(network))
optimizer = optax.adam(1e-3)


@functools.partial(jax.jit, static_argnums=0)
def predict(params: hk.Params, x: jnp.ndarray) -> jnp.ndarray:  # expect: JIT304 @params
    return model.apply(params, x)


@functools.partial(jax.jit, static_argnames=("state",))
def apply_gradients(params, grads, state: optax.OptState):  # expect: JIT304 @state
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state


@functools.partial(jax.jit, static_argnums=(2,))
def blend(old, new, weights: dict[str, jax.Array]):  # expect: JIT304 @weights
    return {name: w * old[name] + (1 - w) * new[name] for name, w in weights.items()}
