import jax.numpy as jnp
import numpy as np

import memo_tables as program

from tools.observation import compilations, printed

T = jnp.linspace(0, 1, 5)
ROWS = np.ones((2, 12), np.float32)


def evaluators():
    run = lambda: [f(jnp.ones(d + 1), T) for d, f in zip((2, 3), program.make_all((2, 3)))]
    run()
    assert compilations(run) == 0


def smoothers():
    program.smooth_all(ROWS, (2, 3))
    assert compilations(lambda: program.smooth_all(ROWS, (2, 3))) == 0


def bank():
    filters = program.Bank({"sum": jnp.cumsum})
    filters["sum"](ROWS[0])
    assert compilations(lambda: [filters["sum"](ROWS[0]) for _ in range(3)]) == 0
    assert filters.gains == {"sum": 4.5} and filters.lookups == 5


HOSTILE = {}
INNOCENT = [evaluators, smoothers, bank, lambda: printed(program.main)]
