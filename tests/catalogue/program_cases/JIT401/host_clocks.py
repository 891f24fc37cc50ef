import clocks

from tools.harm import readings

HOSTILE = {}
INNOCENT = [clocks.main, lambda: readings(clocks.load, clocks)[-1].pending and 1 / 0]
