import runner

from tools.harm import spans

HOSTILE = {}
SILENT = {"run": lambda: spans(runner.main, runner)[2] > 0 == spans(runner.main, runner)[0]}
