import statistic

from tools.harm import compiled

HOSTILE = {}
SILENT = {"partial": lambda: compiled(statistic.main, "trimmed") >= 3}
