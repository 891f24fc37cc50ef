import gp_hyperfit as gp

from tools.observation import compilations, printed

HOSTILE = {}
x, y = gp.toy_data()


def compare_again():
    printed(lambda: gp.compare(x, y))
    assert compilations(lambda: printed(lambda: gp.compare(x, y))) == 0


INNOCENT = [compare_again]
