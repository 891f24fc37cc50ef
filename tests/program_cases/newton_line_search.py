import jax.numpy as jnp
import minimise as m
from jax import lax

X = jnp.array([-1.2, 1.0, 0.5])
R = m.LineSearch(most=5)
HOSTILE = {
    "armijo": lambda: m.make_step(m.rosenbrock, m.armijo, R)(X),
    "length": lambda: lax.scan(m.steepest(m.rosenbrock, 1e-3), X, None, length=2),
    "uphill": lambda: m.make_restart(m.rosenbrock, 0.0)(X, jnp.zeros_like(X)),
}
EXPECT = {
    "armijo": ("TracerBoolConversionError",),
    "length": ("ConcretizationTypeError",),
    "uphill": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: m.make_step(m.rosenbrock, m.armijo_bounded, R, damping=1e-3)(X),
    lambda: m.make_step(m.rosenbrock, m.armijo_bounded)(X),
    lambda: m.newton_on_host(m.rosenbrock, X, R),
]
