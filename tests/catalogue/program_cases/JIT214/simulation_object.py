import jax

import main

from tools.harm import differs_from_eager, same


def lost(name):
    traced, _ = main.run()
    with jax.disable_jit():
        eager, _ = main.run()
    return not same(getattr(traced, name), getattr(eager, name))


def returned():
    assert not differs_from_eager(main.back)


HOSTILE = {}
SILENT = {name: lambda name=name: lost(name) for name in ("time", "position", "log")}
INNOCENT = [returned]
