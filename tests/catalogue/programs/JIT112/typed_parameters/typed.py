"""Type tests in front of branches."""

import jax
import jax.numpy as jnp


@jax.jit
def soft_threshold(x, level):
    if isinstance(level, float):
        level = jnp.full_like(x, level)
    if level > 0:  # expect: JIT101 @level
        return jnp.sign(x) * jnp.maximum(jnp.abs(x) - level, 0)
    return x


@jax.jit
def raised(x, power):
    if isinstance(power, int) and power > 2:
        return x**power
    if power < 0:  # expect: JIT101 @power
        return 1 / x
    return x


@jax.jit
def rolled(x, shift):
    if isinstance(shift, int):  # expect: JIT112 @shift
        return jnp.roll(x, shift)
    return x


def main():
    x = jnp.arange(3.0)
    return soft_threshold(x, 0.5), raised(x, 2), rolled(x, 1)
