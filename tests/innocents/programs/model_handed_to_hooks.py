"""Innocent, though it looks like JIT106.

What makes it right: object handed to callees nobody follows.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Codebook:
    def __init__(self, size, dim, hooks):
        self.entries = np.random.default_rng(0).normal(size=(size, dim))
        for hook in hooks:
            hook(self)

    def look_up(self, index):
        return self.entries[index]


def make_hooks(names):
    import importlib

    module = importlib.import_module("__main__")
    return [getattr(module, name) for name in names]


def on_device(book):
    book.entries = jnp.asarray(book.entries)


if __name__ == "__main__":
    codebook = Codebook(8, 4, make_hooks(["on_device"]))
    print(jax.jit(codebook.look_up)(jnp.int32(2)))
