"""What is walked through in the trace begins anew each time."""

import jax
import jax.numpy as jnp

KERNELS = {"blur": 0.25, "sharpen": 2.0}
STAGES = range(3)
PAIRS = tuple(zip("ab", (1.0, 2.0)))


class Layers:
    def __init__(self, *factors):
        self.factors = factors

    def __iter__(self):
        for factor in self.factors:
            yield lambda x: x * factor


layers = Layers(1.0, 2.0, 3.0)


@jax.jit
def apply(x):
    for layer in layers:
        x = layer(x)
    for name, weight in KERNELS.items():
        x = x + weight * len(name)
    for stage in STAGES:
        x = x + stage
    return x + sum(value for _, value in PAIRS)


@jax.jit
def first_large(x):
    weight = next(weight for weight in KERNELS.values() if weight > 1)
    return x * weight


def main():
    return apply(jnp.ones(2)), apply(jnp.ones(3)), first_large(jnp.ones(2)), first_large(2.0)
