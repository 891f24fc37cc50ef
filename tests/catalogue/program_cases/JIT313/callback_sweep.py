import sweep

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "batch": lambda: compiled(sweep.main, "loss") == 3,
    "sweep": lambda: compiled(lambda: sweep.sweep([0.1, 0.2]), "loss") == 2,
}
