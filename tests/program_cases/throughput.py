import jax.numpy as jnp

import throughput as program

from tools.observation import compilations, printed

X = jnp.ones((16, 8))


def measured():
    program.timings.clear()
    program.measure(program.ATTENTION, X, repeats=4)
    assert len(program.timings["attention"]) == 4
    assert compilations(lambda: program.measure(program.ATTENTION, X)) == 0


def cached():
    program.same_function_again(X)
    assert compilations(lambda: program.same_function_again(X)) == 0


HOSTILE = {}
INNOCENT = [measured, cached, lambda: program.ahead_of_time(X), lambda: printed(program.main)]
