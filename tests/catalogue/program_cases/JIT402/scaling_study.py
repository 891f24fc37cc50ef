import jax.numpy as jnp

import implementations
import study

from tools.harm import spans
from tools.observation import printed

X = jnp.ones(20)


def measured(call):
    return spans(lambda: printed(call), study, implementations)


HOSTILE = {}
SILENT = {
    "measure": lambda: measured(lambda: study.race(X))[0] > 0,
    "sizes": lambda: all(measured(study.scaling)[::2]),
    "built": lambda: measured(lambda: study.built_inside(X))[0] > 0,
    "epochs": lambda: measured(lambda: study.epochs(X))[0] > 0,
}
