import jax.numpy as jnp
import trellis as t

M = t.Model.uniform(3, 4)
S = jnp.array([0, 3, 1, 2])
HOSTILE = {
    "name": lambda: t.forecast(M, S),
    "dwell": lambda: t.score_path(M, S),
    "used": lambda: t.missing_symbols(M, S),
    "finite": lambda: t.posterior(M, S),
    "pairs": lambda: t.transition_counts(S, 9),
}
EXPECT = {
    "name": ("TracerIntegerConversionError",),
    "dwell": ("TypeError",),
    "used": ("TypeError",),
    "finite": ("TracerBoolConversionError",),
    "pairs": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: t.decode(M, S),
    lambda: t.penalties(M),
    lambda: t.emissions(M, S),
    lambda: t.emissions(M, S, smoothing=0.5),
    lambda: t.transition_table(S, length=9),
    lambda: t.report(M, S),
]
