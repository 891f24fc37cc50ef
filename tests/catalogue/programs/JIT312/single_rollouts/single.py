"""Eager control flow that happens once."""

import jax
import jax.numpy as jnp


def integrate(velocity, steps=8):
    def body(x, v):
        x = x + 0.1 * v
        return x, x

    return jax.lax.scan(body, 0.0, velocity)[1]


@jax.jit
def rollouts(velocities):
    return jnp.stack([integrate(velocity) for velocity in velocities])


def report(path):
    for name, value in (("end", path[-1]), ("mean", path.mean())):
        print(f"{name}: {float(value):.2f}")


def main():
    path = integrate(jnp.ones(8))
    report(path)
    return rollouts(jnp.ones((2, 8)))
