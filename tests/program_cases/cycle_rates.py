import jax
import jax.numpy as jnp

import cycle_rates as program

from tools.observation import compilations, printed


def cached():
    run = lambda: [program.compiled_cycle(0.01, 0.2, 6)(step) for step in range(4)]
    run()
    assert compilations(run) == 0


def joined_compiles():
    schedule = program.joined([program.warmup(0.2, 4), program.cycle(0.01, 0.2, 6)], [4])
    rate = jax.jit(schedule)
    assert abs(float(rate(1)) - 0.1) < 1e-6 and abs(float(rate(4)) - 0.01) < 1e-6
    program.table(schedule, jnp.arange(5))
    assert compilations(lambda: program.table(schedule, jnp.arange(5))) <= 1


HOSTILE = {}
INNOCENT = [cached, joined_compiles, lambda: printed(program.main)]
