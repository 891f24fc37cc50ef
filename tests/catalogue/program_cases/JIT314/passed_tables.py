import jax.numpy as jnp
import numpy as np

import passed

from tools.harm import text_size


def small():
    passed.main()
    assert text_size(passed.lookup, passed.EMBEDDING, np.arange(3)) < 10_000
    assert text_size(passed.mixed, jnp.ones(8)) < 10_000
    assert text_size(passed.padded, 1.0) < 10_000
    assert text_size(passed.normalised, 1.0) < 10_000


HOSTILE = {}
INNOCENT = [small]
