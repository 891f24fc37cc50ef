import single

from tools.harm import compiled
from tools.observation import printed


def once():
    assert compiled(lambda: printed(single.main), "scan") == 1


HOSTILE = {}
INNOCENT = [once]
