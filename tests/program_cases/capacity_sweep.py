import jax
import jax.numpy as jnp
import numpy as np

import capacity_sweep as sweep

from tools.observation import compilations

KEY = jax.random.key(0)


def frozen():
    params = sweep.init(KEY, 4)
    x, y = sweep.xs[:5], sweep.ys[:5]
    runs = [sweep.noisy_step(params, x, y, 0.1)["in"] for _ in range(4)]
    fresh = [sweep.noisy_descend(params, x, y, 0.1)["in"] for _ in range(4)]
    same = all(np.array_equal(runs[0], run) for run in runs)
    return same and not any(np.array_equal(a, b) for a, b in zip(fresh, fresh[1:]))


def regraded():
    params = sweep.fit(KEY, 8, 0.1)
    sweep.score(params, 0.1)
    return compilations(lambda: [sweep.score(params, 0.1) for _ in range(3)]) >= 3


def relambdaed():
    losses = jnp.ones(3)
    sweep.thresholds(losses)
    return compilations(lambda: sweep.thresholds(losses)) >= 3


def cached():
    params = sweep.fit(KEY, 8, 0.1)
    call = lambda: [sweep.objective(d)(params) for d in sweep.DECAYS]
    call()
    assert compilations(call) == 0


def random_search():
    sweep.best_of_random(KEY)
    for decay in sweep.DECAYS:
        sweep.objective(decay)(sweep.fit(KEY, 8, decay, steps=2))
    assert compilations(lambda: sweep.best_of_random(KEY)) == 0


SILENT = {"gauss": frozen, "grad": regraded, "levels": relambdaed}
INNOCENT = [cached, random_search, lambda: sweep.fit(KEY, 4, 0.0)]
