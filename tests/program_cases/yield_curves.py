import curves as c
import jax
import jax.numpy as jnp
import numpy as np

R = jnp.array([0.01, 0.012, 0.02, 0.025, 0.03])
Q = jnp.exp(-R * np.array(c.TENORS))
HOSTILE = {
    "tangent": lambda: c.kinked_slope(R[0]),
    "bisect": lambda: c.interpolate_many(R, jnp.array([1.0, 3.0])),
    "gap": lambda: c.Bootstrap().solve(Q, R),
}
SILENT = {
    "times": lambda: abs(float(c.compound(0.5, 1)) - 1.5) > 0.1,
    "same": lambda: bool(jnp.isnan(c.matches(jnp.array([jnp.inf]), jnp.array([jnp.inf]))[0])),
    "robust": lambda: float(c.discount_all(R, jnp.ones(5)).max()) == 0.0,
}
EXPECT = {
    "tangent": ("TracerBoolConversionError",),
    "bisect": ("TracerBoolConversionError",),
    "gap": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: jax.jit(c.kinked)(R[0]),
    lambda: jax.grad(c.present_value)(R, 0.05),
    lambda: c.present_value(R, 0.05, convention="semiannual"),
    lambda: c.fixed_forward(R, 3.0),
    lambda: c.interpolate(R, 20.0),
    lambda: c.Bootstrap().solve_fixed(Q, 0.5 * R),
]
