import fitter

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "lambda": lambda: compiled(fitter.main, "<lambda>") >= 3,
    "nested": lambda: compiled(fitter.main, "slope") >= 3,
}
