"""Looks like a fault of JIT105.

The decorator that registers a metric leaves a mark on the function, by which the evaluator does not compile it.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np

METRICS = {}


def metric(fn=None, *, host=False):
    if fn is None:
        return lambda fn: metric(fn, host=host)
    fn.host = host
    METRICS[fn.__name__] = fn
    return fn


@metric
def mean_squared_error(prediction, target):
    return jnp.mean((prediction - target) ** 2)


@metric(host=True)
def peak_signal_to_noise(prediction, target):
    error = jnp.mean((prediction - target) ** 2)
    peak = float(jnp.max(jnp.abs(target)))
    return 20 * math.log10(peak) - 10 * math.log10(error)


class Evaluator:
    def __init__(self, names):
        chosen = {name: METRICS[name] for name in names}
        self.metrics = {name: fn if fn.host else jax.jit(fn) for name, fn in chosen.items()}

    def __call__(self, prediction, target):
        return {name: float(fn(prediction, target)) for name, fn in self.metrics.items()}


if __name__ == "__main__":
    evaluate = Evaluator(METRICS)
    target = jnp.linspace(0.0, 1.0, 8)
    for offset in (0.1, 0.01):
        scores = evaluate(target + offset, target)
        assert np.isclose(scores["mean_squared_error"], offset**2, rtol=1e-3)
        assert np.isclose(scores["peak_signal_to_noise"], -20 * math.log10(offset), rtol=1e-3)
    assert evaluate.metrics["mean_squared_error"]._cache_size() == 1
