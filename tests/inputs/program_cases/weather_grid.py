import jax.numpy as jnp
import weather_grid as m

A = jnp.ones((4, 6))

HOSTILE = {
    "dry": lambda: m.tendency(m.Fields(A, A, A), m.Grid(1.0, 1.0, jnp.ones(4))),
}
EXPECT = {
    "dry": ("TracerBoolConversionError",),
}
