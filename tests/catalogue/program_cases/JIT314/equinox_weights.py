import numpy as np

import weights

from tools.harm import text_size


def small():
    weights.main()
    assert text_size(weights.embed, weights.model, np.array([1])) < 10_000
    assert text_size(weights.scaled, weights.TABLE[:2]) < 10_000


HOSTILE = {}
INNOCENT = [small]
