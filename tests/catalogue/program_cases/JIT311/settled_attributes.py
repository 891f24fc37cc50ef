import settled

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(settled.main)


HOSTILE = {}
INNOCENT = [same]
