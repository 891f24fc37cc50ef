import jax.numpy as jnp

import same_names

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(lambda: same_names.run(jnp.ones(2)))


HOSTILE = {}
INNOCENT = [same]
