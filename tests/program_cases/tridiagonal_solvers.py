import bands as b
import jax
import jax.numpy as jnp
import numpy as np

O, R = jnp.ones(6), jnp.arange(6.0)
HOSTILE = {
    "pivot": lambda: jax.jit(b.thomas_pivoting)(-O, 3 * O, -O, R),
    "scale": lambda: b.misfit_slope(3 * O, R, O),
    "rounds": lambda: b.conjugate_gradients(b.poisson(3 * O), R, 30),
    "band": lambda: b.bandwidth(jnp.eye(4)),
    "offset": lambda: b.off_diagonal(jnp.eye(4), 1),
}
EXPECT = {
    "pivot": ("TracerBoolConversionError",),
    "scale": ("TracerArrayConversionError",),
    "rounds": ("TracerBoolConversionError",),
    "band": ("ConcretizationTypeError",),
    "offset": ("ValueError",),
}
INNOCENT = [
    lambda: b.thomas(-O, 3 * O, -O, R),
    lambda: b.thomas_pivoting(-np.ones(6), 3 * np.ones(6), -np.ones(6), np.arange(6.0)),
    lambda: b.misfit(3 * O, R, O),
    lambda: jax.jit(b.misfit)(3 * O, R, O),
    lambda: b.steepest_descent(b.poisson(3 * O), R, 30),
    lambda: b.condition(jnp.diag(R + 1)),
]
