import jax
import jax.numpy as jnp


def halve(x, mode):
    if mode == "half":
        return x / 2
    return x


def sign(x):
    if x > 0:
        return 1.0
    return -1.0


def pick(x, rows):
    return x[rows]


@jax.jit
def total(x):
    return jnp.sum(x)
