"""Innocent, though it looks like JIT202.

What makes it right: __setitem__ that keeps no value.
"""

import jax
import jax.numpy as jnp


class Names:
    def __init__(self):
        self.seen = set()

    def __setitem__(self, name, value):
        self.seen.add((name, str(value.dtype)))


names = Names()


@jax.jit
def forward(x):
    names["pre"] = x
    y = jnp.sin(x)
    names["post"] = y
    return y


print(forward(jnp.ones(2)))
assert names.seen == {("pre", "float32"), ("post", "float32")}
