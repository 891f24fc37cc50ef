import run

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "dt": lambda: differs_from_eager(run.adapt),
    "force": lambda: differs_from_eager(run.push),
}
