"""Innocent, though it looks like JIT105.

What makes it right: exec.
"""

import jax
import jax.numpy as jnp

SOURCE = """
def kernel(x, y):
    return jnp.exp(-jnp.sum((x - y) ** 2))
"""


def kernel(x, y):
    return float(sum(x)) * float(sum(y))


exec(SOURCE)


@jax.jit
def gram(xs):
    return jax.vmap(lambda a: jax.vmap(lambda b: kernel(a, b))(xs))(xs)


print(gram(jnp.ones((2, 3))))
