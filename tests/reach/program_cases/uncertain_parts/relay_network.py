import jax.numpy as jnp
import relay_network as m

S, X = m.start(1), jnp.arange(3.0)
HOSTILE = {
    "settled": lambda: m.settle(S, S),
    "alarm": lambda: m.alarms([X[0], X[1]], [0.5, 0.5]),
    "louder": lambda: m.loudest(X),
    "texts": lambda: m.status(X, 1.0),
    "lag": lambda: m.delayed(X, 1),
    "total": lambda: m.gain(m.start()),
    "target": lambda: m.route(S, [X[0], X[1]]),
    "any": lambda: m.merge(S, m.start(1)),
}
EXPECT = {
    "settled": ("TracerBoolConversionError",),
    "alarm": ("TracerBoolConversionError",),
    "louder": ("TracerBoolConversionError",),
    "texts": ("TypeError",),
    "lag": ("IndexError", "TypeError", "TracerIntegerConversionError"),
    "total": ("ConcretizationTypeError",),
    "target": ("TracerIntegerConversionError",),
    "any": ("TracerBoolConversionError",),
}
INNOCENT = [m.start]
