import jax.numpy as jnp

import costs

from tools.harm import spans
from tools.observation import printed

X = jnp.ones(5)


def only_where_said():
    first, _, second = spans(lambda: printed(lambda: costs.compile_time(X)), costs)
    assert first > 0 == second
    first, _, second = spans(lambda: printed(lambda: costs.first_and_second(X)), costs)
    assert first > 0 == second


HOSTILE = {}
INNOCENT = [only_where_said, lambda: printed(lambda: costs.total(X))]
