import settings

from tools.harm import compiled


def few():
    assert compiled(settings.main, "pooled") <= 2
    assert compiled(settings.main, "forward") <= 2
    assert compiled(settings.main, "first") <= 2


HOSTILE = {}
INNOCENT = [few]
