import bodies

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(bodies.main)


HOSTILE = {}
INNOCENT = [same]
