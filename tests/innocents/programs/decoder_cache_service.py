"""Looks like a fault of JIT108.

The names of static arguments are a tuple in the table of compile options, which the service's constructor gives to jax.jit with **options.
"""

import jax
import jax.numpy as jnp
import numpy as np

SIZES = ("capacity", "heads")

COMPILE_OPTIONS = {
    "allocate": {"static_argnames": SIZES + ("width",)},
    "append": {"donate_argnames": ("cache",)},
    "read": {"static_argnames": SIZES[:1]},
}


def allocate(prompt, capacity, heads, width):
    cache = jnp.zeros((capacity, heads, width))
    rows = prompt.reshape(-1, heads, width)
    return jax.lax.dynamic_update_slice(cache, rows, (0, 0, 0)), rows.shape[0]


def append(cache, row, position):
    return jax.lax.dynamic_update_index_in_dim(cache, row, position, 0)


def read(cache, position, capacity):
    weight = jnp.where(jnp.arange(capacity) < position, 1.0, 0.0)
    return jnp.einsum("t,thw->hw", weight, cache) / position


class CacheService:
    def __init__(self, *operations, table=COMPILE_OPTIONS):
        for operation in operations:
            options = table[operation.__name__]
            setattr(self, operation.__name__, jax.jit(operation, **options))

    def open(self, prompt, **sizes):
        cache, filled = self.allocate(prompt, **sizes)
        return {"cache": cache, "position": int(filled), "capacity": sizes["capacity"]}

    def push(self, session, row):
        session["cache"] = self.append(session["cache"], row, session["position"])
        session["position"] += 1
        return self.read(session["cache"], session["position"], capacity=session["capacity"])


if __name__ == "__main__":
    service = CacheService(allocate, append, read)
    prompt = np.ones((2, 6), dtype=np.float32)
    session = service.open(prompt, capacity=8, heads=2, width=3)
    assert session["position"] == 2
    for value in (4.0, 6.0):
        mean = service.push(session, np.full((2, 3), value, np.float32))
    assert np.allclose(mean, (1 + 1 + 4 + 6) / 4)
    assert service.append._cache_size() == 1
    assert service.read._cache_size() == 1
