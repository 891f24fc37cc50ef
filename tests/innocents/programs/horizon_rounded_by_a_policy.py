"""Looks like a fault of JIT306.

The policy that the settings name rounds the length up, so that few values reach the static argument.
"""
import functools

import jax
import jax.numpy as jnp

POLICIES = {}


def policy(fn):
    POLICIES[fn.__name__] = fn
    return fn


@policy
def exact(length):
    return length


@policy
def powers(length):
    return 1 << max(length - 1, 0).bit_length()


class Forecaster:
    def __init__(self, settings):
        self.rounded = POLICIES[settings.get("lengths", "exact")]

    def __call__(self, start, horizon):
        path = extrapolate(start, self.rounded(horizon))
        return jax.device_get(path)[:horizon]


@functools.partial(jax.jit, static_argnums=1)
def extrapolate(start, horizon):
    return start * 0.9 ** jnp.arange(horizon)


if __name__ == "__main__":
    forecast = Forecaster({"lengths": "powers"})
    start = jnp.float32(1.0)
    for horizon in range(1, 33):
        path = forecast(start, horizon)
        assert len(path) == horizon and abs(float(path[-1]) - 0.9 ** (horizon - 1)) < 1e-5
    assert extrapolate._cache_size() == 6
