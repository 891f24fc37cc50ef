"""A training state of a registered dataclass, with settings beside it."""

import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Settings:
    rate: float = 0.1
    momentum: float = 0.9
    clip: float = 1.0


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class TrainState:
    weights: dict[str, jax.Array]
    velocity: dict[str, jax.Array]
    step: jax.Array


def loss(weights, x, y):
    return jnp.mean((x @ weights["kernel"] + weights["bias"] - y) ** 2)


def make_step(settings: Settings):
    @jax.jit
    def step(state: TrainState, x, y):
        value, grads = jax.value_and_grad(loss)(state.weights, x, y)
        size = jnp.sqrt(sum(jnp.sum(g**2) for g in grads.values()))
        if size > settings.clip:  # expect: JIT101 @clip
            grads = {k: g / size for k, g in grads.items()}
        velocity = {k: settings.momentum * state.velocity[k] + grads[k] for k in grads}
        weights = {k: state.weights[k] - settings.rate * velocity[k] for k in grads}
        return TrainState(weights, velocity, state.step + 1), value

    return step
