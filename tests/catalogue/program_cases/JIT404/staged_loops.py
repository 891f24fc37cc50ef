import jax.numpy as jnp

import staged

from tools.harm import equations

X = jnp.ones(3)


def small():
    staged.main()
    assert equations(staged.iterate, X) < 20
    assert equations(staged.network, jnp.ones((4, 3, 3)), X) < 30
    assert equations(staged.filtered, X) < 30
    assert equations(staged.step, X) < 5


HOSTILE = {}
INNOCENT = [small]
