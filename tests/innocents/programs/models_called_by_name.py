"""Looks like a fault of JIT308.

The decorator above jit looks the name up, and hands the parameters over that belong to it.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


class Zoo:
    """Parameters by the name of the model, loaded when somebody asks for them."""

    def __init__(self):
        self.loaders, self.loaded = {}, {}

    def entry(self, loader):
        self.loaders[loader.__name__] = loader
        return loader

    def resolve(self, model):
        if not isinstance(model, str):
            return model
        return self.loaded.get(model) or self.loaded.setdefault(model, self.loaders[model]())

    def by_name(self, fn):
        @functools.wraps(fn)
        def call(model, *args):
            return fn(self.resolve(model), *args)

        return call


zoo = Zoo()


@zoo.entry
def identity():
    return {"kernel": np.eye(2, dtype=np.float32), "bias": np.zeros(2, np.float32)}


@zoo.entry
def swap():
    return {"kernel": np.eye(2, dtype=np.float32)[::-1], "bias": np.ones(2, np.float32)}


@zoo.by_name
@jax.jit
def predict(model, x):
    return x @ model["kernel"] + model["bias"]


if __name__ == "__main__":
    x = jnp.array([1.0, 2.0])
    assert predict("identity", x).tolist() == [1.0, 2.0]
    assert predict("swap", x).tolist() == [3.0, 2.0]
    assert predict(swap(), x).tolist() == [3.0, 2.0]
    assert predict.__wrapped__._cache_size() == 1
