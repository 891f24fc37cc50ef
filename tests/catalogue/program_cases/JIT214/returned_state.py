import returned

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(returned.main)


HOSTILE = {}
INNOCENT = [same]
