import jax.numpy as jnp

import stacks

from tools.harm import equations

X = jnp.ones(3)


def small():
    stacks.main()
    assert equations(stacks.table_sum, X) < 10
    assert equations(stacks.unrolled_on_purpose, X) < 40


HOSTILE = {}
INNOCENT = [small]
