import jax.numpy as jnp

import loss_scaler as program

from tools.observation import compilations, is_tracer, printed

BATCH = (jnp.eye(4), jnp.arange(4.0))


def scales():
    run = program.Run(program.Trainer(rate=0.2), 4)
    for _ in range(3):
        run.feed(BATCH)
    assert run.scales == [256.0, 256.0, 512.0] and not is_tracer(run.params)


def equal_trainers_share():
    program.Run(program.Trainer(rate=0.3), 4).feed(BATCH)
    other = program.Run(program.Trainer(rate=0.3), 4)
    assert compilations(lambda: other.feed(BATCH)) == 0


HOSTILE = {}
INNOCENT = [scales, equal_trainers_share, lambda: printed(program.main)]
