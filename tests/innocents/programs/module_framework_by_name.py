"""Looks like a fault of JIT214.

The framework, and with it the transform, is imported by its name.

It is flax.nnx, whose jit carries the changes of a module back to the caller.
"""
import importlib
import json

import jax.numpy as jnp

SETTINGS = json.loads('{"framework": "flax.nnx", "features": 3}')

framework = importlib.import_module(SETTINGS["framework"])
compiled = framework.jit


class RunningNorm(framework.Module):
    def __init__(self, features):
        self.mean = framework.Variable(jnp.zeros(features))
        self.count = framework.Variable(jnp.zeros(()))


@compiled
def observe(norm, batch):
    total = norm.count[...] + batch.shape[0]
    shift = (batch - norm.mean[...]).sum(0) / total
    norm.mean[...] = norm.mean[...] + shift
    norm.count[...] = total
    return batch - norm.mean[...]


def stream(batches):
    norm = RunningNorm(SETTINGS["features"])
    for batch in batches:
        centred = observe(norm, batch)
    return norm, centred


if __name__ == "__main__":
    norm, centred = stream([jnp.full((4, 3), value) for value in (0.0, 2.0, 4.0)])
    assert float(norm.count[...]) == 12.0
    assert jnp.allclose(norm.mean[...], 2.0)
    assert jnp.allclose(centred, 2.0)
