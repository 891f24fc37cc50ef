import cleanup

from tools.harm import compiled


def once():
    assert compiled(cleanup.main, "work") == 1


HOSTILE = {}
INNOCENT = [once]
