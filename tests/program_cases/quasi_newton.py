import jax.numpy as jnp
import lbfgs as q

P = {"a": jnp.ones(3), "b": jnp.array(3.0)}
HOSTILE = {
    "curved": lambda: q.minimise(q.bowl, P, q.Settings(curved=True)),
    "all": lambda: q.minimise(q.bowl, P, q.Settings(guard="eager")),
    "cap": lambda: q.minimise(q.bowl, P, q.Settings(guard="cap")),
    "small": lambda: q.converged(P, 1e-3),
}
EXPECT = {
    "curved": ("TracerBoolConversionError",),
    "all": ("TracerBoolConversionError",),
    "cap": ("TracerBoolConversionError",),
    "small": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: q.minimise(q.bowl, P),
    lambda: q.minimise(q.bowl, P, q.Settings(memory=1, guard="descent"), 3),
    lambda: q.keep_descent_eagerly(P, P),
    lambda: q.converged_everywhere(P, 0.1),
]
