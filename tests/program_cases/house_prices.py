import jax.numpy as jnp
import numpy as np
from house_prices import design, fitting

from tools.observation import compilations, is_tracer, printed

rng = np.random.default_rng(0)
columns = jnp.asarray(rng.normal(size=(20, 2)), jnp.float32)
prices = jnp.asarray(rng.normal(size=20), jnp.float32)
penalties = [0.1, 0.2, 0.3, 0.4]
matrix = design.cubic_design(columns)

HOSTILE = {
    "degrees": lambda: design.quadratic_design(columns),
    "centred": design.make_predictor,
}
EXPECT = {"degrees": ("ValueError",), "centred": ("ValueError",)}


def updates():
    before = fitting.updates
    printed(lambda: fitting.fit(columns, prices))
    return fitting.updates - before == 1


def best():
    printed(lambda: fitting.fit(columns, prices))
    return is_tracer(fitting.best["loss"])


SILENT = {
    "updates": updates,
    "best": best,
    "sweep": lambda: compilations(lambda: fitting.sweep_slow(matrix, prices, penalties)) >= 4,
}


def sweep_once():
    fitting.sweep(matrix, prices, penalties)
    assert compilations(lambda: fitting.sweep(matrix, prices, penalties)) == 0


INNOCENT = [
    sweep_once,
    lambda: design.make_raw_predictor()(jnp.ones(7), matrix, centre=False),
    lambda: fitting.closed_form(matrix, prices, 0.1),
]
