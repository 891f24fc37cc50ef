"""An ensemble Kalman filter around a legacy model that runs on the host."""

import contextlib
import itertools
import os
import random

import jax
import jax.numpy as jnp
import numpy as np


class LegacyModel:
    """An old simulator; keeps count of its calls and may jitter."""

    def __init__(self, seed):
        self.calls = 0
        self.random = random.Random(seed)
        self.last = None

    def __call__(self, states):
        self.calls += 1
        self.last = np.array(states)
        self.last[:, 0] += 0.1 * self.random.random()
        if os.environ.get("LEGACY_TRACE"):
            print("legacy", self.last.mean())
        return np.tanh(self.last)


def forecast(model, ensemble):
    """Let the host do the forecast."""
    shape = jax.ShapeDtypeStruct(ensemble.shape, ensemble.dtype)
    return jax.pure_callback(model, shape, ensemble)


def analysis(key, ensemble, observation, operator, noise):
    anomalies = ensemble - ensemble.mean(axis=0)
    predicted = ensemble @ operator.T
    spread = predicted - predicted.mean(axis=0)
    count = ensemble.shape[0] - 1
    cross = anomalies.T @ spread / count
    total = spread.T @ spread / count + noise * jnp.eye(operator.shape[0])
    perturbed = observation + noise**0.5 * jax.random.normal(key, predicted.shape)
    return ensemble + (perturbed - predicted) @ jnp.linalg.solve(total, cross.T)


def make_cycle(model, operator, noise=0.1):
    gate = jnp.asarray(operator)

    def cycle(key, ensemble, observation):
        return analysis(key, forecast(model, ensemble), observation, gate, noise)

    return jax.jit(cycle)


@contextlib.contextmanager
def counting(model):
    before = model.calls
    counts = {}
    yield counts
    jax.effects_barrier()
    counts["calls"] = model.calls - before


def assimilate(observations, members=8):
    model = LegacyModel(seed=4)
    cycle = make_cycle(model, np.eye(2, 3, dtype=np.float32))
    keys = map(jax.random.key, itertools.count())
    ensemble = jax.random.normal(next(keys), (members, 3))
    means = []
    with counting(model) as counts:
        for observation in observations:
            ensemble = cycle(next(keys), ensemble, observation)
            means.append(np.asarray(ensemble.mean(axis=0)))
    return np.stack(means), counts


if __name__ == "__main__":
    rows, counted = assimilate(jnp.ones((4, 2)))
    print(rows, counted)
