import io

import jax
import jax.numpy as jnp
import numpy as np

import callback_sinks as program

from tools.observation import printed

X = jnp.array([0.3, 0.1, 0.2])


def receives_each_step():
    program.received.clear()
    for _ in range(2):
        program.relax(X, steps=4)
    jax.effects_barrier()
    assert len(program.received) == 8 and len({value for _, value in program.received}) > 1


def writes_each_call():
    sink = program.FileSink(io.StringIO())
    logged = program.make_logged(sink)
    printed(lambda: [logged(X).block_until_ready() for _ in range(3)] and jax.effects_barrier())
    assert sink.rows == 3 and sink.stream.getvalue().count("\n") == 3


def draws_each_call():
    assert not np.array_equal(program.perturbed(X), program.perturbed(X))


def ranks():
    assert program.ranked(X).tolist() == [2.0, 0.0, 1.0]


HOSTILE = {}
INNOCENT = [receives_each_step, writes_each_call, draws_each_call, ranks, lambda: printed(program.main)]
