import jax.numpy as jnp

import policy

from tools.harm import same


def steps_differ():
    zero = jnp.zeros(3)
    assert not same(policy.sample_noise(zero, 0), policy.sample_noise(zero, 1))


HOSTILE = {}
SILENT = {"seed": lambda: len({int(action) for action in policy.rollout()}) == 1}
INNOCENT = [steps_differ]
