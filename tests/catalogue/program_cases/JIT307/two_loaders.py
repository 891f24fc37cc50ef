import loaders

from tools.harm import compiled


def two():
    assert compiled(loaders.run, "accuracy") == 2


HOSTILE = {}
INNOCENT = [two]
