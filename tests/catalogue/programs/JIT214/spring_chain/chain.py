"""A chain of springs, stepped in place."""

import jax
import jax.numpy as jnp


def accelerate(state, force):
    state["velocity"] += 0.1 * force  # expect: JIT214 @velocity


@jax.jit
def step(state):
    stretch = jnp.diff(state["position"])
    force = jnp.pad(stretch, (0, 1)) - jnp.pad(stretch, (1, 0))
    accelerate(state, force)
    state["position"] = state["position"] + 0.1 * state["velocity"]  # expect: JIT214 @position
    return 0.5 * jnp.sum(state["velocity"] ** 2)


def simulate(steps=3):
    state = {"position": jnp.array([0.0, 1.5, 2.0]), "velocity": jnp.zeros(3)}
    energies = [step(state) for _ in range(steps)]
    return state, energies
