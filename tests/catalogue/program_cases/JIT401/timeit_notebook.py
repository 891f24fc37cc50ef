import timeit

from tools.harm import notebook, unawaited

made = notebook("speed.ipynb")
names = vars(made)


def fair():
    statement = "jax.block_until_ready(gram(x))"
    assert not unawaited(lambda: timeit.timeit(statement, number=2, globals=names), made)


HOSTILE = {}
SILENT = {
    # What the magic does is this.
    "magic": lambda: unawaited(lambda: timeit.Timer("gram(x)", globals=names).timeit(2), made),
    "timeit": lambda: unawaited(lambda: timeit.timeit(lambda: names["gram"](made.x), number=3), made),
    "repeat": lambda: unawaited(
        lambda: timeit.repeat("gram(x)", globals=names, number=3, repeat=2), made
    ),
}
INNOCENT = [fair]
