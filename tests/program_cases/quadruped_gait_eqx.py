import jax.numpy as jnp
import jax.random as jr
import quadruped_gait_eqx as p

from tools.observation import is_tracer

KEY = jr.key(0)


def walks():
    gait, state, log = p.walk(KEY)
    assert len(log) == 3 and not is_tracer(gait)
    assert float(state.get(gait.strides)) == 3.0


INNOCENT = [
    walks,
    lambda: p.random_gait_speed(KEY),
    lambda: p.Oscillator("lf", KEY).swing(jnp.linspace(0.0, 1.0, 5)),
    lambda: p.Oscillator("lf", KEY).swing(jnp.linspace(0.0, 1.0, 5), smooth=False),
]
HOSTILE = {}
