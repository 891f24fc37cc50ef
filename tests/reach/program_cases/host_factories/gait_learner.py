import jax.numpy as jnp
import learner
import walk

from tools.observation import is_tracer

P = jnp.ones(2)
MADE = learner.make_learner({**walk.DEFAULTS, "joints": 2, "horizon": 2})
W, STATE = MADE.init()


def history():
    MADE.evaluate(W, P)
    return is_tracer(list(learner.HISTORY))


HOSTILE = {
    "exhausted": lambda: MADE.improve(W, STATE, P),
    "gains": lambda: MADE.export(W),
}
EXPECT = {"exhausted": ("TracerBoolConversionError",), "gains": ("ConcretizationTypeError",)}
SILENT = {"history": history}
INNOCENT = [MADE.init]
