import curves
import finder
import jax.numpy as jnp

T, W, S = finder.RangeTest(), jnp.zeros(3), jnp.ones(3)
HOSTILE = {
    "log": lambda: T.on_device_log(W, S),
    "inside": lambda: T.on_device_strict(W, S),
    "item": lambda: T.on_device_list(W, S),
    "beta": lambda: curves.smooth_checked(jnp.ones(4), 0.9),
}
EXPECT = {
    "log": ("ConcretizationTypeError",),
    "inside": ("TracerBoolConversionError",),
    "item": ("ConcretizationTypeError",),
    "beta": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: T.on_host(W, S).steepest(),
    lambda: T.on_device(W, S),
    lambda: curves.smooth(jnp.ones(4), 0.9),
]
