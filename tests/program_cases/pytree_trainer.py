import jax
import jax.numpy as jnp

import pytree_trainer as program

from tools.observation import compilations, is_tracer, printed

PARAMS = {"w": jnp.ones(3)}


def steps():
    trainer = program.Momentum(PARAMS)
    first = trainer.step(PARAMS)
    assert float(trainer.velocity["w"][0]) == 0.0 and not is_tracer((trainer.velocity, first))
    assert compilations(lambda: first.step(PARAMS).step(PARAMS)) == 0


def averages():
    average = program.Averaged(PARAMS).update(PARAMS)
    assert compilations(lambda: average.update(PARAMS)) == 0


HOSTILE = {}
INNOCENT = [steps, averages, lambda: printed(program.main)]
