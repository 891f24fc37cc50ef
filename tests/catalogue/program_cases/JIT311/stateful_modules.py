import modules

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(modules.main)


HOSTILE = {}
INNOCENT = [same]
