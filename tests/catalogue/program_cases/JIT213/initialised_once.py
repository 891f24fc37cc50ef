import model

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(model.main)


HOSTILE = {}
INNOCENT = [same]
