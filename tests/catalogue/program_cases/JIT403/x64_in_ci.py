import jax
import numpy as np

import eigen


def precise():
    with jax.enable_x64(True):
        assert eigen.modes(np.eye(2)).dtype == "float64"


HOSTILE = {}
INNOCENT = [precise]
