import warnings

import jax
import jax.numpy as jnp
import numpy as np

from objective_lab import lab, losses, registry

from tools.observation import compilations, is_tracer

XS = np.linspace(-1, 1, 6, dtype=np.float32)
YS = 3 * XS + 1


def counted_once():
    before = registry.evaluations
    for n in range(3):
        losses.huber(jnp.ones(11) * n, jnp.zeros(11), delta=0.7)
    return registry.evaluations - before == 1


def trail_leaks():
    losses.residuals.clear()
    for n in range(3):
        losses.quantile(jnp.ones(13) * n, jnp.zeros(13))
    return len(losses.residuals) == 1 and is_tracer(losses.residuals)


def warned_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(3):
            losses.tempered(jnp.ones(17) * n, jnp.zeros(17))
    texts = [str(w.message) for w in caught if "spread" in str(w.message)]
    return len(texts) == 1 and "JitTracer" in texts[0]


def examined_once():
    one = lab.Lab(XS, YS)
    one.minimise("huber", steps=5)
    return one.examined == len(YS)


def searched():
    run = lambda: lab.coordinate_search(losses.huber, XS, YS, rounds=3)
    run()
    return compilations(run) >= 3


def trials_counted():
    one = lab.Lab(XS, YS)
    one.minimise("tempered")
    one.minimise("tempered")
    assert one.trials == 2 and compilations(lambda: one.minimise("tempered")) == 0


HOSTILE = {
    "temprature": lambda: losses.with_temperature(losses.huber),
    "mask": lambda: lab.Lab(XS, YS).minimise_masked("huber", [1, 1, 0, 1, 1, 1]),
}
EXPECT = {"temprature": ("ValueError",), "mask": ("ValueError",)}
SILENT = {
    "evaluations": counted_once,
    "trail": trail_leaks,
    "spread": warned_once,
    "examined": examined_once,
    "along": searched,
}
INNOCENT = [trials_counted, lambda: losses.huber(XS, YS, delta=0.5)]
