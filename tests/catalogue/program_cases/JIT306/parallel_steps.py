import parallel

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "pmap": lambda: compiled(parallel.steps, "device_step") == 3,
    "length": lambda: compiled(parallel.scores, "score") == 4,
}
