import shapes

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(shapes.main)


HOSTILE = {}
INNOCENT = [same]
