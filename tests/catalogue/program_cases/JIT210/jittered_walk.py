import walk

from tools.harm import differs_from_eager, same


def moves():
    first, second, third = walk.moved()
    return same(second - first, third - second)


HOSTILE = {}
SILENT = {"keys": moves, "counter": lambda: differs_from_eager(walk.shrunk)}
