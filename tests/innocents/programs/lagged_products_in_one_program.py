"""Innocent, though it looks like JIT307.

What makes it right: the loop over the lags runs while an outer function is traced, whose one program holds all of them.
"""

import jax
import jax.numpy as jnp

compilations = []


@jax.monitoring.register_event_duration_secs_listener
def count(event, duration, **kwargs):
    if event.endswith("backend_compile_duration"):
        compilations.append(event)


@jax.jit
def mean_product(early, late):
    return jnp.mean((early - early.mean()) * (late - late.mean()))


def autocorrelation(series, lags=4):
    products = [mean_product(series, series)]
    for lag in range(1, lags + 1):
        products.append(mean_product(series[:-lag], series[lag:]))
    return jnp.stack(products) / products[0]


TRANSFORMS = [jax.vmap, jax.jit]


def prepared(function):
    for transform in TRANSFORMS:
        function = transform(function)
    return function


analyse = prepared(autocorrelation)

runs = [jnp.sin(jnp.arange(40.0) * f).reshape(2, 20) for f in (0.5, 0.9, 1.3)]
jax.block_until_ready(runs)
compilations.clear()
results = [analyse(run) for run in runs]
assert len(compilations) == 1
assert all(result.shape == (2, 5) for result in results)
assert jnp.allclose(results[0][:, 0], 1.0)
