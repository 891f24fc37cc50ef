import kinds

from tools.harm import compiled


def few():
    assert compiled(kinds.main, "layer") <= 4
    assert compiled(kinds.main, "step") == compiled(kinds.main, "repeat") == 1


HOSTILE = {}
INNOCENT = [few]
