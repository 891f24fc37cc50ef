"""Looks like a fault of JIT210.

The objective is differentiated by an eager jax.value_and_grad, which runs its Python body anew at each step, so the captured loader gives a new batch each time.
"""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import optax


def minibatches(x, y, size, log):
    for start in itertools.cycle(range(0, len(x), size)):
        log.append(start)
        yield x[start : start + size], y[start : start + size]


@jax.jit
def residuals(params, x, y):
    return x @ params - y


def make_objective(loader):
    counter = itertools.count(1)

    def objective(params):
        x, y = next(loader)
        weight = 1.0 / np.sqrt(next(counter))
        return jnp.mean(jnp.square(residuals(params, x, y))), weight

    return jax.value_and_grad(objective, has_aux=True)


def minimise(objective, params, steps):
    optimiser = optax.adam(0.2)
    state = optimiser.init(params)
    weights = []
    for _ in range(steps):
        (_, weight), grads = objective(params)
        updates, state = optimiser.update(grads, state)
        params = optax.apply_updates(params, jax.tree.map(lambda u: u * weight, updates))
        weights.append(weight)
    return params, weights


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    truth = np.array([0.5, -0.25], dtype=np.float32)
    x = rng.normal(size=(24, 2)).astype(np.float32)
    starts = []
    objective = make_objective(minibatches(x, x @ truth, 8, starts))
    params, weights = minimise(objective, jnp.zeros(2), 40)
    assert starts == [0, 8, 16] * 13 + [0]
    assert np.allclose(weights, 1 / np.sqrt(np.arange(1, 41)))
    assert np.allclose(params, truth, atol=0.1)
    assert residuals._cache_size() <= 2
