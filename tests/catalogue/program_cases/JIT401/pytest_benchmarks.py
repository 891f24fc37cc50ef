import jax.numpy as jnp

import kernels
import test_speed

from tools.harm import readings

X = jnp.eye(100)


def nothing_pending():
    kernels.kernel(X).block_until_ready()
    found = readings(lambda: test_speed.test_quick(X), test_speed, kernels)
    assert not any(one.pending for one in found)
    test_speed.test_retry(X)
    test_speed.test_kernel(lambda call: call(), X)


HOSTILE = {}
INNOCENT = [nothing_pending]
