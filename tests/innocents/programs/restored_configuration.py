"""Innocent, though it looks like JIT108.

What makes it right: setattr from keyword arguments.
"""

import jax
import jax.numpy as jnp


class Layout:
    def __init__(self, **options):
        self.rows = jnp.array(4)
        self.columns = jnp.array(2)
        for name, value in options.items():
            setattr(self, name, value)


layout = Layout(rows=3, columns=5)


@jax.jit
def board(x):
    return jnp.full((layout.rows, layout.columns), x)


print(board(1.0).shape)
