import static_types

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(static_types.main)


HOSTILE = {}
INNOCENT = [same]
