import suite

from tools.harm import spans


def warm():
    assert spans(lambda: suite.table(suite.WarmCase), suite)[::2] == [0, 0]


HOSTILE = {}
SILENT = {"case": lambda: all(spans(lambda: suite.table(suite.Case), suite)[::2])}
INNOCENT = [warm]
