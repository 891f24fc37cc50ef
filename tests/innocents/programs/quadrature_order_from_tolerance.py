"""Looks like a fault of JIT108.

The order is computed under jax.ensure_compile_time_eval from constants only, so it is concrete when it becomes a shape.
"""
import jax
import jax.numpy as jnp
import numpy as np

TOLERANCE = 1e-4
INTERVAL = (0.0, 2.0)


def panels_needed(tolerance):
    with jax.ensure_compile_time_eval():
        width = jnp.asarray(INTERVAL[1] - INTERVAL[0])
        panels = jnp.ceil(jnp.sqrt(width**3 / (12.0 * tolerance)))
        return panels.astype(int)


@jax.jit
def integrate_decay(rate):
    panels = panels_needed(TOLERANCE)
    left, right = INTERVAL
    nodes = jnp.linspace(left, right, int(panels) + 1)
    weights = jnp.full(panels.item() + 1, (right - left) / int(panels))
    weights = weights.at[jnp.array([0, -1])].multiply(0.5)
    return jnp.sum(weights * jnp.exp(-rate * nodes))


def exact(rate):
    left, right = INTERVAL
    return (np.exp(-rate * left) - np.exp(-rate * right)) / rate


if __name__ == "__main__":
    for rate in (0.25, 0.5, 1.0):
        value = integrate_decay(rate)
        assert abs(float(value) - exact(rate)) < 2 * TOLERANCE, rate
    slope = jax.grad(integrate_decay)(1.0)
    assert np.isfinite(slope) and slope < 0
    assert integrate_decay._cache_size() <= 2
    print("panels", int(panels_needed(TOLERANCE)))
