import jax.numpy as jnp

import search

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(lambda: search.search(jnp.arange(3.0)))


HOSTILE = {}
INNOCENT = [same]
