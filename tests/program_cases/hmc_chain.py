import hmc
import targets
import jax
import jax.numpy as jnp

K, X = jax.random.key(0), jnp.ones(2)
HOSTILE = {
    "count": lambda: hmc.one_adaptive(X, K, 0.1, 1.0),
    "doubling": lambda: hmc.find_step(X, K),
    "thin": lambda: hmc.thin(jnp.ones((20, 2)), 5),
}
EXPECT = {
    "count": ("TracerIntegerConversionError",),
    "doubling": ("TracerBoolConversionError",),
    "thin": ("ConcretizationTypeError",),
}
SILENT = {
    "bounded": lambda: (
        float(targets.bounded_value(2 * X)) == -4.0
        and float(targets.log_gamma_bounded(2 * X)) != -4.0
    )
}
INNOCENT = [
    lambda: hmc.chain(targets.log_normal, X, K, 0.3, 5, draws=6),
    lambda: hmc.one_unrolled(X, K, 0.1),
    lambda: hmc.kinetic(X, jnp.eye(2)),
]
