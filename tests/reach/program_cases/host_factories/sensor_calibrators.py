import jax.numpy as jnp
import sensor_calibrators as m

from tools.observation import compilations

X = jnp.arange(3.0)


def residual():
    m.scan_degrees(X, X, (1,))
    return compilations(lambda: m.scan_degrees(X, X, (1, 2, 3))) >= 3


def stamp():
    stamped = m.make_calibrator("stamped")
    return float(stamped(X)[1]) == float(stamped(X + 1)[1])


HOSTILE = {
    "settings": lambda: m.make_calibrator("linear")(X, {"gain": 2.0}, ("gain",)),
    "knots": lambda: m.read_all(X, (0, 1)),
}
EXPECT = {"settings": ("ConcretizationTypeError",), "knots": ("ValueError",)}
SILENT = {"residual": residual, "stamp": stamp}
