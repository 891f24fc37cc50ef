import jax.numpy as jnp
import regression as r

X, Y = jnp.ones((3, 2)), jnp.zeros(3)
P = r.plain.init(X)
HOSTILE = {
    "alive": lambda: r.predict_sparse(P, X),
    "nan": lambda: r.predict_checked(P, X),
    "ranked": lambda: r.predict_ranked(P, X),
}
EXPECT = {
    "alive": ("NonConcreteBooleanIndexError",),
    "nan": ("TracerBoolConversionError",),
    "ranked": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: r.update(P, X, Y)]
