import jax.numpy as jnp
import traffic_counters as m

from tools.observation import is_tracer


def passed():
    lane = m.Lane("right")
    lane.count(0.5)
    return is_tracer(lane.passed)


HOSTILE = {
    "weight": lambda: m.revenue(m.Tolls(1.0, 5.0), [jnp.float32(2.0)]),
    "limit": lambda: m.read_strict(3.0),
    "unit": m.make_converter,
}
EXPECT = {
    "weight": ("TracerBoolConversionError",),
    "limit": ("TracerBoolConversionError",),
    "unit": ("ValueError",),
}
def lane():
    # The call raises, and the decorator is to blame.
    try:
        m.Lane("left").flow(0.5)
    except TypeError as error:
        return "Lane" in str(error)
    return False



SILENT = {"passed": passed, "lane": lane}
INNOCENT = [lambda: m.read_loose(3.0)]
