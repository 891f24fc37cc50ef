import carry

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(carry.main)


HOSTILE = {}
INNOCENT = [same]
