import jax.numpy as jnp
import kepler as k
import roots

M = jnp.linspace(0.1, 3.0, 4)
HOSTILE = {
    "demand": lambda: k.checked(0.5),
    "roots": lambda: roots.polynomial_roots(jnp.array([1.0, -3.0, 2.0])),
    "polish": lambda: k.orbits(M, polish=True),
    "turns": lambda: k.orbits(M, method="halley", strict=True),
    "bracketed": lambda: k.orbits(M, method="bisect", strict=True),
}
EXPECT = {
    "demand": ("TracerBoolConversionError",),
    "roots": ("ConcretizationTypeError",),
    "polish": ("TracerBoolConversionError",),
    "turns": ("TypeError",),
    "bracketed": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: k.orbits(M),
    lambda: k.orbits(M, damping=0.9),
    lambda: k.orbits(M, method="halley"),
    lambda: k.orbits(M, method="bisect"),
    lambda: k.anomaly(0.5, 0.3, polish=True).demand(roots.Options()),
]
