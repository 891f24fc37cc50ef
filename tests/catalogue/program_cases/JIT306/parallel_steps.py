import parallel

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    # JAX does not tell the name of what pmap compiles.
    "pmap": lambda: compiled(parallel.steps, "_fun") == 3,
    "length": lambda: compiled(parallel.scores, "score") == 6,
}
