import jax.numpy as jnp
import regression

from tools.observation import compilations, is_tracer

VARIABLES = {"x": jnp.arange(4.0), "y": jnp.ones(4)}
SHARED = ("*", ("sin", "x"), ("sin", "x"))


def scores():
    trees = [SHARED, ("+", "x", "y"), ("max", "x", 2.0)]
    errors = regression.score(trees, VARIABLES, jnp.arange(4.0))
    assert len(errors) == 3 and not is_tracer(errors)
    assert compilations(lambda: regression.evaluate(SHARED, {"x": VARIABLES["x"]})) == 0


def products():
    found = regression.moments(VARIABLES)
    assert int(found["count"]) == 3 and not is_tracer(found)


INNOCENT = [scores, products]
HOSTILE = {}
