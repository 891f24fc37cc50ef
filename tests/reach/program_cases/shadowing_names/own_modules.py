import jax
import jax.numpy as jnp
from physics import pendulum as m

from tools.observation import printed

K = jax.random.key(0)


def fresh():
    other = jax.random.key(5)
    assert (m.kicked(K, jnp.ones(8)) != m.kicked(other, jnp.ones(8))).any()


def every_time():
    def run():
        for amplitude in (0.1, 0.2):
            m.period(amplitude)
        jax.effects_barrier()

    assert printed(run).count("\n") == 2


HOSTILE = {}
INNOCENT = [fresh, every_time]
