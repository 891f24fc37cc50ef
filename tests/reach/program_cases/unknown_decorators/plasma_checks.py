import jax.numpy as jnp
import plasma as m

V, G = jnp.array([0.5, -2.0, 1.5]), jnp.ones(3)
HOSTILE = {
    "density": lambda: m.screened(1.0, 2.0),
    "fast": lambda: m.collision_rate(V),
    "touching": lambda: m.accelerations(jnp.eye(3), G),
    "variance": lambda: m.heat(V),
    "edges": lambda: m.histogram(V, 4),
    "convolve": lambda: m.drive(V, G),
}
EXPECT = {
    "density": ("TracerBoolConversionError",),
    "fast": ("NonConcreteBooleanIndexError",),
    "touching": ("TracerBoolConversionError",),
    "variance": ("ConcretizationTypeError",),
    "edges": ("TracerIntegerConversionError", "ConcretizationTypeError", "TypeError"),
    "convolve": ("TracerArrayConversionError",),
}
INNOCENT = [
    lambda: m.debye_length(1.0, 2.0),
    lambda: m.temperature(V),
    lambda: m.bins(V, 4),
    lambda: m.forces(jnp.eye(3), G),
]
