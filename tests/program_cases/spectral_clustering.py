import clusters as c
import jax
import jax.numpy as jnp

from tools.harm import compiled

P = jax.random.normal(jax.random.key(0), (9, 2))
L = jnp.arange(9) % 3
HOSTILE = {
    "members": lambda: c.lloyd(P, P[:3], 2, "masked"),
    "empty": lambda: c.lloyd(P, P[:3], 2, "guarded"),
    "sizes": lambda: c.cluster_sizes(L),
    "inner": lambda: c.silhouettes(P, L),
    "split": lambda: c.gaps(P[:, 0], 3),
}
EXPECT = {
    "members": ("NonConcreteBooleanIndexError",),
    "empty": ("TracerBoolConversionError",),
    "sizes": ("ConcretizationTypeError",),
    "inner": ("TracerArrayConversionError",),
    "split": ("ConcretizationTypeError",),
}
SILENT = {
    "rounds": lambda: compiled(lambda: c.best_of(P, [P[:3], P[3:6], P[6:]]), "scan") == 3,
}
INNOCENT = [
    lambda: c.embed_compiled(P, 2),
    lambda: c.embed_compiled(P, 2, normalise="none"),
    lambda: c.embed(P, 2, 0.5),
    lambda: c.lloyd(P, P[:3], 3),
    lambda: c.best_of(P, [P[:3], P[3:6]]),
    lambda: c.assign(P, P[:3]),
]
