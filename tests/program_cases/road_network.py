import numpy as np
from roads import network, routing

from tools.observation import compilations, printed

HOSTILE = {}
town = network.grid(4)


def rush():
    printed(lambda: routing.rush_hour(town, 0))
    assert compilations(lambda: printed(lambda: routing.rush_hour(town, 1))) == 0
    assert routing.calls == {"eager": 0, "rounds": 12}


INNOCENT = [rush, lambda: routing.all_pairs(town, np.arange(4)), lambda: town.degrees()]
