import jax

import orbits


def precise():
    with jax.enable_x64(True):
        assert orbits.period(1.0).dtype == "float64"


HOSTILE = {}
INNOCENT = [precise]
