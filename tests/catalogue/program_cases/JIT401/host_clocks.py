import clocks

from tools.harm import readings


def nothing_pending():
    assert not any(one.pending for one in readings(clocks.load, clocks))


HOSTILE = {}
INNOCENT = [clocks.main, nothing_pending]
