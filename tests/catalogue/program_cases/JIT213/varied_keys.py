import keys

from tools.harm import same


def varies():
    noisy, one, two, *_ = keys.main()
    assert not same(noisy[0], noisy[1]) and not same(one, two)


HOSTILE = {}
INNOCENT = [varies]
