import rebound

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(rebound.main)


HOSTILE = {}
INNOCENT = [same]
