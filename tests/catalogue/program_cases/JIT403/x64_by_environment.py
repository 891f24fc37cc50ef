import jax

import start


def precise():
    # This process had imported JAX before, and reads its environment no more.
    with jax.enable_x64(start.os.environ.pop("JAX_ENABLE_X64") == "True"):
        assert start.weights(2).dtype == "float64"


HOSTILE = {}
INNOCENT = [precise]
