"""Looks like a fault of JIT105.

The conversion is tried and its concretization error is caught, so a traced step takes the array formula instead.
"""
import math

import jax
import jax.numpy as jnp
import numpy as np

SMALLEST = 2.0**-10


def power_of_two_below(step):
    try:
        value = float(step)
    except jax.errors.ConcretizationTypeError:
        exponent = jnp.floor(jnp.log2(jnp.maximum(step, SMALLEST)))
        return jnp.exp2(exponent)
    return 2.0 ** math.floor(math.log2(max(value, SMALLEST)))


def oscillator(state):
    position, velocity = state
    return velocity, -position


@jax.jit
def advance(state, step):
    step = power_of_two_below(step)
    k1 = oscillator(state)
    middle = jax.tree.map(lambda s, k: s + 0.5 * step * k, state, k1)
    k2 = oscillator(middle)
    return jax.tree.map(lambda s, k: s + step * k, state, k2), step


if __name__ == "__main__":
    state = (jnp.float32(1.0), jnp.float32(0.0))
    elapsed = 0.0
    for proposal in (0.011, 0.009, 0.0041) * 40:
        state, used = advance(state, proposal)
        assert float(used) == power_of_two_below(proposal), proposal
        elapsed += float(used)
    np.testing.assert_allclose(state[0], math.cos(elapsed), atol=1e-4)
    assert advance._cache_size() == 1
    assert power_of_two_below(0.0) == SMALLEST
    print("x at", elapsed, "is", float(state[0]))
