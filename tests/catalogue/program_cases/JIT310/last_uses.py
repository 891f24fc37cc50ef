import uses

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(uses.main)


HOSTILE = {}
INNOCENT = [same]
