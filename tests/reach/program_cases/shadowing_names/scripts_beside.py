import tuner as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(lambda: m.tune([0.1, 0.3]))]
