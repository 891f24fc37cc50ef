import dqn

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "target": lambda: differs_from_eager(dqn.run),
    "gain": lambda: differs_from_eager(dqn.louder),
}
