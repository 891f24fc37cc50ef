import ising

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {"beta": lambda: differs_from_eager(ising.anneal)}
