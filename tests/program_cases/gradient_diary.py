import jax
import jax.numpy as jnp

import gradient_diary as program

from tools.observation import printed

START = jnp.array([-1.0, 1.0])


def counts_every_call():
    before = program.evaluations
    text = printed(lambda: [jax.grad(program.rosenbrock)(START) for _ in range(3)])
    assert program.evaluations - before == 3 and text.count("evaluation") == 3


def draws_anew():
    slopes = []
    printed(lambda: slopes.extend(jax.grad(program.noisy)(START) for _ in range(3)))
    assert len({float(slope[0]) for slope in slopes}) == 3


def diary():
    out = []
    printed(lambda: out.extend(program.minimise(program.rosenbrock, START)))
    assert len(out[1].lines) == 4


HOSTILE = {}
INNOCENT = [
    counts_every_call,
    draws_anew,
    diary,
    lambda: printed(lambda: program.sensitivity(program.rosenbrock, [START])),
]
