import jax.numpy as jnp

import dependent

from tools.harm import readings
from tools.observation import printed

X = jnp.eye(300)


def nothing_pending():
    for call in (
        lambda: dependent.pipeline(X),
        lambda: printed(lambda: dependent.train(X)),
        lambda: dependent.many([X, X]),
    ):
        start, end = readings(call, dependent)
        assert not start.pending and not end.pending
    # The last product is not asked for, but the comparison has waited for it.
    assert not readings(lambda: dependent.until_small(X), dependent)[1].pending


HOSTILE = {}
INNOCENT = [nothing_pending]
