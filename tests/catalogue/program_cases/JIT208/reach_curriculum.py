import jax.numpy as jnp

import curriculum

from tools.harm import differs_from_eager

TORQUES = jnp.arange(6.0).reshape(2, 3)


def loosened():
    curriculum.WEIGHTS["energy"] = 0.1
    return curriculum.loosen(TORQUES)


HOSTILE = {}
SILENT = {
    "energy": lambda: differs_from_eager(lambda: curriculum.train(TORQUES)),
    "limit": lambda: differs_from_eager(loosened),
}
