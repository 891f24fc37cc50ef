import jax.numpy as jnp

import safe_tables

from tools.harm import differs_from_eager
from tools.observation import is_tracer


def same():
    assert not differs_from_eager(lambda: safe_tables.run(jnp.arange(4.0)))
    assert not is_tracer([safe_tables.blocks(4), safe_tables.rotation(4), safe_tables.hann(4)])


HOSTILE = {}
INNOCENT = [same]
