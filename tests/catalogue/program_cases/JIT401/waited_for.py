import contextlib
import io

import jax.numpy as jnp

import waited

from tools.harm import readings
from tools.observation import printed


def nothing_pending():
    with contextlib.redirect_stderr(io.StringIO()):
        found = readings(lambda: printed(lambda: waited.all_ways(jnp.eye(300))), waited)
    # All but the first of a span: the last helper starts without waiting for what was before.
    assert len(found) == 24 and not any(one.pending for one in found)


HOSTILE = {}
INNOCENT = [nothing_pending]
