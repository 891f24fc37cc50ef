"""Looks like a fault of JIT308.

The transform taken from the dictionary is equinox.filter_jit, which treats strings and callables among the arguments as static.
"""
import json

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

TRANSFORMS = {"plain": jax.jit, "filtered": eqx.filter_jit, "eager": lambda fn: fn}
SETTINGS = json.loads('{"transform": "filtered", "readouts": ["mean", "max", "last"]}')
accelerate = TRANSFORMS[SETTINGS["transform"]]


class Recurrent(eqx.Module):
    mix: np.ndarray
    drive: np.ndarray
    name: str

    def __init__(self, inputs, hidden, name, rng):
        self.mix = rng.normal(size=(hidden, hidden)).astype(np.float32) / hidden
        self.drive = rng.normal(size=(inputs, hidden)).astype(np.float32)
        self.name = name


@accelerate
@eqx.debug.assert_max_traces(max_traces=3)
def summarise(model, sequence, readout, activation):
    def step(hidden, x):
        hidden = jnp.tanh(hidden @ model.mix + x @ model.drive)
        return hidden, hidden

    last, states = jax.lax.scan(step, jnp.zeros(model.mix.shape[0]), sequence)
    if readout == "last":
        return activation(last)
    return activation(getattr(jnp, readout)(states, axis=0))


if __name__ == "__main__":
    rng = np.random.default_rng(2)
    model = Recurrent(3, 5, "sensor", rng)
    sequences = rng.normal(size=(4, 10, 3)).astype(np.float32)
    results = {}
    for sequence in sequences:
        for readout in SETTINGS["readouts"]:
            results[readout] = summarise(model, sequence, readout, jnp.tanh)
    assert all(value.shape == (5,) for value in results.values())
    assert np.all(results["max"] >= results["mean"])
    assert np.all(results["max"] >= results["last"])
    print("readouts", sorted(results))
