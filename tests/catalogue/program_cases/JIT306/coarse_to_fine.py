import multigrid

from tools.harm import compiled


def few():
    assert compiled(multigrid.cascade, "solve") == 3


HOSTILE = {}
INNOCENT = [few]
