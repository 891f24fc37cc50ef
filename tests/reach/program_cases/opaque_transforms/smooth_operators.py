import jax
import jax.numpy as jnp
import operators as m

from tools.observation import is_tracer

X = jnp.ones(2)


def norms():
    m.backward_norms.clear()
    try:
        m.train(X, X)
    except jax.errors.TracerBoolConversionError:
        pass
    return is_tracer(m.backward_norms)


HOSTILE = {
    "clip": lambda: m.train(X, X),
    "large": lambda: m.energy_slope(1.0),
    "slope": lambda: m.sign_slope(0.5),
    "lambda": lambda: m.pulled(X),
    "linear": lambda: m.tangent(X),
}
EXPECT = {
    "clip": ("TracerBoolConversionError",),
    "large": ("TracerBoolConversionError",),
    "slope": ("TracerArrayConversionError",),
    "lambda": ("TracerBoolConversionError",),
    "linear": ("ConcretizationTypeError",),
}
SILENT = {"norms": norms}
INNOCENT = [lambda: m.straight_through(X), lambda: jax.grad(m.log1pexp)(1.0)]
