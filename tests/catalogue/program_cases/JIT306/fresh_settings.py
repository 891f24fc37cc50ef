import run

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "settings": lambda: compiled(run.simulate, "euler") == 4,
    "rate": lambda: compiled(run.compare, "midpoint") == 4,
}
