import jax.numpy as jnp
import solver as m

A, B = jnp.eye(2), jnp.ones(2)
HOSTILE = {"residual": lambda: m.refine(A, B, B), "log": lambda: m.condition(A)}
EXPECT = {
    "residual": ("TracerBoolConversionError",),
    "log": ("TracerArrayConversionError",),
}
INNOCENT = [lambda: m.solve(A, B)]
