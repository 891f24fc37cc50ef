import importlib

import script

from tools.harm import differs_from_eager


def same():
    assert not differs_from_eager(lambda: importlib.reload(script).errors)


HOSTILE = {}
INNOCENT = [same]
