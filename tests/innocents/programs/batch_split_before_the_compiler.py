"""Looks like a fault of JIT101.

The wrapper takes plain Python values out of the batch and compiles once for each of their combinations.
"""
import functools

import jax
import jax.numpy as jnp


class Compiled:
    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self.fn = fn
        self.programs = {}

    def __call__(self, batch):
        plain = tuple(sorted((k, v) for k, v in batch.items() if not hasattr(v, "shape")))
        arrays = {k: v for k, v in batch.items() if hasattr(v, "shape")}
        if plain not in self.programs:
            self.programs[plain] = jax.jit(lambda rest: self.fn({**rest, **dict(plain)}))
        return self.programs[plain](arrays)


compiled = Compiled


@compiled
def loss(batch):
    errors = (batch["prediction"] - batch["target"]) ** 2
    if batch["masked"]:
        weights = batch["mask"]
        return jnp.sum(errors * weights) / jnp.sum(weights)
    return jnp.mean(errors)


if __name__ == "__main__":
    base = {"prediction": jnp.arange(4.0), "target": jnp.zeros(4), "mask": jnp.array([1.0, 1.0, 0.0, 0.0])}
    for _ in range(3):
        assert float(loss({**base, "masked": True})) == 0.5
        assert float(loss({**base, "masked": False})) == 3.5
    assert len(loss.programs) == 2
    assert all(program._cache_size() == 1 for program in loss.programs.values())
