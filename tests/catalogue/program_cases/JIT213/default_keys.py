import sampling

from tools.harm import same


def differ():
    a, b, *_ = sampling.main()
    assert not same(a, b)


HOSTILE = {}
INNOCENT = [differ]
