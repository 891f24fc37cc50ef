import jax
import jax.numpy as jnp
from training import keeper, loop
from training.stopping import Patience

X = jnp.linspace(0, 1, 8)
P = {"slope": jnp.ones(()), "offset": jnp.zeros(())}
S = keeper.empty_slots(P)
HOSTILE = {
    "improved": lambda: loop.fit_tracked(P, X, X),
    "rate": lambda: loop.resume(S, P, X, X),
    "filled": lambda: loop.distinct_losses(S),
}
EXPECT = {
    "improved": ("TracerBoolConversionError",),
    "rate": ("TracerIntegerConversionError",),
    "filled": ("ConcretizationTypeError",),
}
SILENT = {"same": lambda: keeper.same(P, P) and not loop.unchanged(P, P)}
INNOCENT = [
    lambda: loop.train(X, X),
    lambda: loop.fit(P, X, X),
    lambda: loop.unchanged_close(P, P),
    lambda: Patience.create().update(0.5).update(0.7),
]
