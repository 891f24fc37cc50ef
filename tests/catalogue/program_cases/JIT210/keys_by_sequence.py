import sequence

from tools.harm import differs_from_eager, same


def advances():
    assert not differs_from_eager(sequence.main)
    first, second, _ = sequence.main()
    assert not same(first, second)


HOSTILE = {}
INNOCENT = [advances]
