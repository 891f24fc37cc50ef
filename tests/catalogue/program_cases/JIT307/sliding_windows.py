import jax.numpy as jnp
import numpy as np

import windows

from tools.harm import compiled

SERIES = jnp.arange(7.0)


def one_shape():
    assert compiled(lambda: windows.windows(SERIES), "smooth") == 1
    assert compiled(lambda: windows.frames(np.ones((4, 2))), "smooth") == 1
    assert compiled(lambda: windows.replaced(SERIES), "smooth") == 1
    assert compiled(lambda: windows.folds(np.ones((6, 2))), "evaluate") == 1


HOSTILE = {}
INNOCENT = [one_shape]
