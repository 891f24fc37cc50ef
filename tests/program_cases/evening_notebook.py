import jax
import numpy as np

import evening_notebook as program

from tools.observation import compilations, is_tracer


def ran():
    assert program.total_notes == 2 and len(program.trace) == 4
    assert not is_tracer((program.effects, program.left_out))
    assert len(np.unique(program.draws[:, 3])) == 3


def cached():
    call = lambda: program.step(program.effects, program.table, program.passengers)
    assert compilations(lambda: [call() for _ in range(3)]) == 0
    again = lambda: jax.jit(program.loss)(program.effects, program.table, program.passengers)
    again()
    assert compilations(lambda: [again() for _ in range(3)]) == 0


HOSTILE = {}
INNOCENT = [ran, cached]
