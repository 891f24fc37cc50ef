import study

from tools.harm import compiled


def fori():
    # With bounds known beforehand it is a scan.
    return compiled(study.sensitivity, "scan") == 3


HOSTILE = {}
SILENT = {"fori": fori, "step": lambda: compiled(study.random_search, "scan") == 3}
