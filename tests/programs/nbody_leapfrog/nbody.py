"""Gravitational N-body integration with leapfrog steps."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SOFTENING = 1e-2


class Bodies(NamedTuple):
    position: jax.Array
    velocity: jax.Array
    mass: jax.Array


def accelerations(bodies, softening=SOFTENING):
    delta = bodies.position[None] - bodies.position[:, None]
    squared = (delta**2).sum(-1)
    if softening:
        squared = squared + softening**2
    weight = bodies.mass[None, :] * squared**-1.5
    return (weight[..., None] * delta).sum(1)


def kick_drift_kick(bodies, dt):
    half = bodies.velocity + 0.5 * dt * accelerations(bodies)
    moved = bodies._replace(position=bodies.position + dt * half)
    return moved._replace(velocity=half + 0.5 * dt * accelerations(moved))


@partial(jax.jit, static_argnames=("steps", "record"))
def simulate(bodies, dt, steps, record=False):
    """Integrate a fixed number of steps, with the positions on the way if asked for."""

    def body(state, _):
        state = kick_drift_kick(state, dt)
        return state, state.position if record else None

    return lax.scan(body, bodies, None, length=steps)


def time_scale(bodies, eta):
    strength = jnp.linalg.norm(accelerations(bodies), axis=-1)
    return eta / np.sqrt(strength)  # expect: JIT106 @scale


@jax.jit
def adaptive_step(bodies):
    return kick_drift_kick(bodies, time_scale(bodies, 0.02).min())


@jax.jit
def substepped(bodies, dt, substeps):
    for _ in range(substeps):  # expect: JIT107 @substeps
        bodies = kick_drift_kick(bodies, dt / substeps)
    return bodies


def bounce(bodies, wall):
    """Turn the bodies back that have left the box."""

    def reflect(index, state):
        reach = jnp.abs(state.position[index]).max()
        if reach > wall:  # expect: JIT101 @wall
            state = state._replace(velocity=state.velocity.at[index].multiply(-1.0))
        return state

    return lax.fori_loop(0, len(bodies.mass), reflect, bodies)


@jax.jit
def recentre(bodies):
    total = bodies.mass.sum()
    assert total > 0, "no mass"  # expect: JIT103 @mass
    centre = bodies.mass @ bodies.position / total
    return bodies._replace(position=bodies.position - centre)


def energy(bodies):
    """The total energy, on the host."""
    mass, position = np.asarray(bodies.mass), np.asarray(bodies.position)
    total = 0.5 * float(mass @ (np.asarray(bodies.velocity) ** 2).sum(-1))
    for i in range(len(mass)):
        for j in range(i):
            separation = np.linalg.norm(position[i] - position[j])
            if separation > 0:
                total -= float(mass[i] * mass[j] / separation)
    return total


def plummer(count, seed=0):
    place, speed = jax.random.split(jax.random.key(seed))
    return Bodies(
        jax.random.normal(place, (count, 3)),
        0.1 * jax.random.normal(speed, (count, 3)),
        jnp.full(count, 1.0 / count),
    )


def main():
    bodies = plummer(6)
    before = energy(bodies)
    bodies, track = simulate(bodies, 0.01, 20, record=True)
    if abs(energy(bodies) - before) > 0.1 * abs(before):
        print("energy drifts", track.shape)
    bodies = adaptive_step(recentre(bodies))
    bodies = bounce(substepped(bodies, 0.01, 4), wall=2.0)
    print(energy(bodies))


if __name__ == "__main__":
    main()
