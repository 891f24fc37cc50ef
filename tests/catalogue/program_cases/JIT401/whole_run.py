import run
import timers

from tools.harm import readings
from tools.observation import printed


def nothing_pending():
    found = readings(lambda: printed(run.main), run, timers)
    assert len(found) == 8 and not any(one.pending for one in found[2:])


HOSTILE = {}
INNOCENT = [nothing_pending]
