import fit

from tools.harm import differs_from_eager, same


def shapes():
    two, three = fit.descended()
    # The second trace finds the generator spent.
    return not same(two[0], three[0])


HOSTILE = {}
SILENT = {"loader": lambda: differs_from_eager(fit.train), "rates": shapes}
