import evolve_walker as es

from tools.observation import compilations, printed

HOSTILE = {}


def sweep():
    printed(es.sweep)
    assert compilations(lambda: printed(es.sweep)) == 0


INNOCENT = [sweep, lambda: printed(lambda: es.train(es.Setting(), 3))]
