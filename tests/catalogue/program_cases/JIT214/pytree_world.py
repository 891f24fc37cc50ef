import world

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "time": lambda: differs_from_eager(world.episode),
    "count": lambda: differs_from_eager(world.run),
}
