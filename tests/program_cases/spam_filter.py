import jax
import jax.numpy as jnp
import optax

from spam_filter import fit, network

from tools.observation import compilations

KEY = jax.random.key(0)
XS = jax.random.normal(KEY, (12, 5))
YS = (XS[:, 0] > 0).astype(jnp.float32)


def rebuilt():
    fit.compare_rates(KEY, XS, YS)
    # Nine jits; everything else is warm.
    return compilations(lambda: fit.compare_rates(KEY, XS, YS)) >= 9


def made_once():
    fit.train(KEY, XS, YS)
    assert compilations(lambda: fit.train(KEY, XS, YS)) <= 1


def same_function():
    params = fit.fresh(KEY)
    folds = [(XS, YS)] * 4
    fit.evaluate(params, folds)
    assert compilations(lambda: fit.evaluate(params, folds)) == 0


HOSTILE = {
    "optimiser": lambda: fit.make_named_update(optax.sgd(0.1)),
    "sizes": lambda: fit.fresh_from_settings(KEY),
    "platt": lambda: fit.calibrated_by_name(fit.fresh(KEY), XS),
}
EXPECT = {"optimiser": ("ValueError",), "sizes": ("ValueError",), "platt": ("TypeError",)}
SILENT = {"partial": rebuilt}
INNOCENT = [
    made_once,
    same_function,
    lambda: fit.calibrated(fit.fresh(KEY), XS),
    lambda: network.logits(fit.fresh(KEY), XS, activation=jnp.tanh),
]
