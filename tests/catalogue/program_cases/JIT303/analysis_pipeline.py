import report

from tools.harm import compiled


def once():
    assert compiled(report.main, "step") == 1
    assert compiled(report.main, "<lambda>") == 1


HOSTILE = {}
INNOCENT = [once]
