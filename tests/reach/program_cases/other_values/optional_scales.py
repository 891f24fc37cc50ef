import jax.numpy as jnp
import optional_scales as m

X = jnp.linspace(0.0, 1.0, 3)
HOSTILE = {
    "scale": lambda: m.gaussian(X, 0.5),
    "positive": lambda: m.laplace(X, scale=0.5),
    "degree": lambda: m.polynomial(X, 2),
    "count": lambda: m.nearest(X, 2),
}
EXPECT = {
    "scale": ("TracerBoolConversionError",),
    "positive": ("TracerBoolConversionError",),
    "degree": ("TracerIntegerConversionError",),
    "count": ("IndexError", "TypeError", "TracerIntegerConversionError"),
}
INNOCENT = [lambda: (m.gaussian(X), m.laplace(X), m.polynomial(X), m.nearest(X))]
