import settings

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(settings.main)


HOSTILE = {}
INNOCENT = [same]
