import jax.numpy as jnp

import tape_builder as program

from tools.observation import compilations, is_tracer, printed

LAYERS = [jnp.eye(3), jnp.ones((3, 3))]


def forwards():
    outs = [program.forward(LAYERS, jnp.ones(3) * n) for n in range(3)]
    assert all(int(out["depth"]) == 4 for out in outs) and not is_tracer(outs)
    assert sorted(outs[0]) == ["depth", "last", "layer1", "layer2"]
    assert compilations(lambda: program.forward(LAYERS, jnp.zeros(3))) <= 1


def rounds():
    for _ in range(3):
        trail, done = program.rounds_of(jnp.float32(1.0), 4)
        assert trail.shape == (3,) and int(done) == 4


def scan_and_grad():
    assert program.smoothed(jnp.arange(5.0))["mean"].shape == (5,)
    assert program.polynomial((1.0, 0.0, 2.0, 3.0), jnp.arange(3.0)).tolist() == [4.0, 22.0, 40.0]


HOSTILE = {}
INNOCENT = [forwards, rounds, scan_and_grad, lambda: printed(program.main)]
