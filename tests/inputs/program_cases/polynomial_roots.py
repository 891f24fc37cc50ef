import jax.numpy as jnp
import polynomial_roots as m

HOSTILE = {
    "flat": lambda: m.roots(jnp.ones((3, 4)), jnp.ones(3)),
    "radius": lambda: m.companion(jnp.ones(4)),
}
EXPECT = {
    "flat": ("TracerBoolConversionError",),
    "radius": ("ConcretizationTypeError",),
}
