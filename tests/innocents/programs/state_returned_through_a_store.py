"""Innocent, though it looks like JIT310.

What makes it right: store with get and put.
"""

import jax
import jax.numpy as jnp


class Store:
    def __init__(self):
        self._entries = {}

    def get(self, key):
        return self._entries[key]

    def put(self, key, value):
        self._entries[key] = value


def sgd(params, grads):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


update = jax.jit(sgd, donate_argnums=(0,))
store = Store()
store.put("params", {"w": jnp.ones(3)})
for _ in range(3):
    store.put("params", update(store.get("params"), {"w": jnp.ones(3)}))
print(store.get("params")["w"])
