import main

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(lambda: main.main([]))


HOSTILE = {}
INNOCENT = [same]
