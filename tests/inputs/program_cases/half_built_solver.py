import half_built_solver as m
import jax.numpy as jnp

HOSTILE = {
    "converged": lambda: m.Solver().prepare(jnp.eye(3)).solve(jnp.ones(3)),
}
EXPECT = {
    "converged": ("TracerBoolConversionError",),
}
