"""Looks like a fault of JIT102.

The arguments are unpacked from a scenario in JSON, which leaves the defaults of the times to be Python numbers.
"""

import json

import jax
import jax.numpy as jnp

SCENARIOS = """
{
  "drop":  {"height": 10.0, "velocity": [0.0, 0.0]},
  "throw": {"height": 2.0, "velocity": [3.0, 4.0]}
}
"""
GRAVITY = 9.81


@jax.jit
def fly(height, velocity, until=0.5, dt=0.125):
    """Leapfrog, in the few large steps that a preview takes."""
    position = jnp.stack([0.0 * height, height])
    pull = jnp.array([0.0, -GRAVITY])
    t = 0.0
    while t < until:
        half = velocity + 0.5 * dt * pull
        position = position + dt * half
        velocity = half + 0.5 * dt * pull
        t += dt
    return position


def preview(name):
    scenario = json.loads(SCENARIOS)[name]
    scenario["velocity"] = jnp.array(scenario["velocity"])
    return fly(**scenario)


if __name__ == "__main__":
    fallen = preview("drop")
    assert jnp.allclose(fallen, jnp.array([0.0, 10.0 - 0.5 * GRAVITY * 0.25]), atol=1e-5)
    thrown = preview("throw")
    assert jnp.allclose(thrown, jnp.array([1.5, 2.0 + 2.0 - 0.5 * GRAVITY * 0.25]), atol=1e-5)
    assert fly._cache_size() == 1
