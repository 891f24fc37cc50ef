import numpy as np

import graphs

from tools.harm import compiled

STREAM = [np.ones((2, 2), np.float32)] * 3

HOSTILE = {}
SILENT = {
    "ring": lambda: compiled(lambda: graphs.evaluate([2, 3, 4, 5]), "propagate") == 4,
    "reservoir": lambda: compiled(lambda: graphs.follow(STREAM), "<lambda>") == 3,
}
