import jax.numpy as jnp

import filters
import timing

from tools.harm import unawaited
from tools.observation import printed

IMAGE = jnp.ones((400, 400))


def seen(call):
    return unawaited(lambda: printed(lambda: call(IMAGE)), filters, timing)


HOSTILE = {}
SILENT = {
    "decorator": lambda: seen(filters.blur),
    "benchmark": lambda: seen(filters.measured),
    "with": lambda: seen(filters.with_timer),
    "clock": lambda: seen(filters.with_clock),
    "stopwatch": lambda: seen(filters.with_stopwatch),
}
INNOCENT = [lambda: printed(lambda: filters.count(["x"]))]
