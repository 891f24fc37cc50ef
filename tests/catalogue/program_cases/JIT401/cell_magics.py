import timeit

from tools.harm import notebook, unawaited

made = notebook("cells.ipynb")


def timed(statement):
    """What the magics do with a statement."""
    return unawaited(lambda: timeit.Timer(statement, globals=vars(made)).timeit(2), made)


def fair():
    assert not timed("powers(x).block_until_ready()")
    assert not timed("y = powers(x).block_until_ready()")
    assert not timed("float(powers(x).sum())")


HOSTILE = {}
SILENT = {
    "line": lambda: timed("y = powers(x)"),
    "eager": lambda: timed("jnp.linalg.norm(powers(x))"),
}
INNOCENT = [fair]
