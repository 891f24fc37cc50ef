import double_pendulum as dp
import jax.numpy as jnp
from tools.observation import compilations, is_tracer

S = jnp.array([2.0, 2.0, 0.0, 0.0])


def again():
    dp.swing("runge_kutta", S, 3)
    assert compilations(lambda: dp.swing("runge_kutta", S, 3)) == 0
    assert not is_tracer(list(dp._compiled))


INNOCENT = [again, lambda: dp.swing("euler", S, 3), dp.main]
