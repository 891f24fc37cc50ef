import train

from tools.harm import compiled


def full():
    assert compiled(train.fit_full, "step") == 1


HOSTILE = {}
SILENT = {
    "batches": lambda: compiled(train.fit, "step") == 2,
    "mask": lambda: compiled(train.survive, "drift") == 3,
}
INNOCENT = [full]
