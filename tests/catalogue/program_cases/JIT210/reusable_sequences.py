import sequences

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(sequences.main)


HOSTILE = {}
INNOCENT = [same]
