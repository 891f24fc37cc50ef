"""Looks like a fault of JIT108.

The pool binds the count before it compiles, once for each count, and hands only arrays to the compiler.
"""
import functools

import jax
import jax.numpy as jnp


class Pool:
    def __init__(self, wrapper):
        self.wrapper = wrapper
        self.members = {}

    def entry(self, fn):
        def call(count, *arrays):
            slot = (fn.__name__, count)
            member = self.members.get(slot)
            if member is None:
                member = self.members[slot] = self.wrapper(functools.partial(fn, count))
            return member(*arrays)
        return call


pool = Pool(jax.jit)


@pool.entry
def spawn(count, key, centre):
    offsets = jax.random.normal(key, (count, 2))
    ages = jnp.zeros(count)
    return centre + offsets, ages + jnp.linspace(0.0, 1.0, count)


if __name__ == "__main__":
    key = jax.random.key(3)
    for turn in range(6):
        positions, ages = spawn(4 if turn % 2 else 8, jax.random.fold_in(key, turn), jnp.ones(2))
        assert positions.shape == (4 if turn % 2 else 8, 2)
        assert float(ages[-1]) == 1.0
    assert sorted(count for _, count in pool.members) == [4, 8]
    assert all(member._cache_size() == 1 for member in pool.members.values())
