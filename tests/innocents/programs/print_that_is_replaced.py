"""Innocent, though it looks like JIT201.

What makes it right: builtin replaced by a name.
"""

import jax
import jax.numpy as jnp


def print_(*values):
    jax.debug.print("{}", values[-1])


globals()["print"] = print_


@jax.jit
def noisy(x):
    print("loss", x)
    return x * 2


noisy(jnp.ones(2))
noisy(jnp.zeros(2))
