import again

from tools.harm import compiled


def once():
    assert compiled(again.main, "update") == 1
    assert compiled(again.main, "<lambda>") <= 1


HOSTILE = {}
INNOCENT = [once]
