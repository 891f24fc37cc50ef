import replaced

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(replaced.main)


HOSTILE = {}
INNOCENT = [same]
