import jax
import numpy as np

import grid_hunt as program

from tools.observation import compilations, printed

XS = np.linspace(-1, 1, 16, dtype=np.float32)[:, None]
KEY = jax.random.key(0)


def one_program_each():
    configs = [program.Config(), program.Config(layers=(4,))]
    program.grid(KEY, XS, XS, configs, (0.1,))
    assert compilations(lambda: program.grid(KEY, XS, XS, configs, (0.2, 0.3))) == 0


def one_search():
    program.random_search(KEY, XS, XS, 1)
    assert compilations(lambda: program.random_search(KEY, XS, XS, 5, seed=1)) == 0


HOSTILE = {}
INNOCENT = [one_program_each, one_search, lambda: printed(program.main)]
