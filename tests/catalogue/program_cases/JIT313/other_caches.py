import other

from tools.harm import compiled


def once():
    assert compiled(lambda: other.scan_sizes([4, 4, 4]), "energy") == 1


HOSTILE = {}
INNOCENT = [once]
