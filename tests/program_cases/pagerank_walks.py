import graphs as g
import jax
import jax.numpy as jnp
import numpy as np

S, T = g.edges()
A = jnp.zeros((4, 4)).at[S, T].set(1.0)
K = jax.random.key(0)
HOSTILE = {
    "frontier": lambda: g.reachable(A, 0),
    "move": lambda: g.walk(K, 0, 3),
    "hub": lambda: g.teleports(1, jnp.ones(4)),
    "count": lambda: g.by_place(jnp.array([0, 1, 0])),
    "dangling": lambda: g.dangling(A),
}
EXPECT = {
    "frontier": ("TracerBoolConversionError",),
    "move": ("TracerIntegerConversionError",),
    "hub": ("TracerBoolConversionError",),
    "count": ("TypeError",),
    "dangling": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: g.pagerank(S, T, 4),
    lambda: g.walk_dense(K, jnp.array(0), A, 4),
    lambda: g.dangling_padded(A),
    lambda: g.shortest(np.asarray(A), 0),
]
