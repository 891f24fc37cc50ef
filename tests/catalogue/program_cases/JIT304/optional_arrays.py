import optional

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(optional.main)


HOSTILE = {}
INNOCENT = [same]
