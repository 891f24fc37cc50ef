import waiting

from tools.harm import readings


def nothing_pending():
    found = readings(waiting.main, waiting)
    assert len(found) == 6 and not any(one.pending for one in found)


HOSTILE = {}
INNOCENT = [nothing_pending]
