import compare

from tools.harm import spans
from tools.observation import printed


def whole():
    """Each span compiles for a shape of its own, also after the others."""
    found = spans(lambda: printed(compare.main), compare)
    assert [found[k] > 0 for k in range(0, 10, 2)] == [False, True, True, True, True]


HOSTILE = {}
SILENT = {
    # NumPy's span compiles nothing, JAX's does.
    "first": lambda: spans(compare.speedup, compare)[0] == 0 < spans(compare.speedup, compare)[2],
    "average": lambda: spans(compare.average, compare)[0] > 0,
    "timeit": lambda: spans(lambda: printed(compare.by_timeit), compare)[0] > 0,
    "shape": lambda: spans(compare.other_shape, compare)[0] > 0,
}
INNOCENT = [whole]
