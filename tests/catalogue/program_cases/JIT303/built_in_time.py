import built

from tools.harm import compiled


def once():
    assert compiled(built.main, "_predict") == 1
    # The step and the loss; nothing compiles for each turn.
    assert compiled(built.main, "<lambda>") <= 3


HOSTILE = {}
INNOCENT = [once]
