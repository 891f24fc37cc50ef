import jax
import jax.numpy as jnp
import search as s

P = s.init_params(jax.random.key(0))
R = jnp.array([s.BOS])
HOSTILE = {
    "greedy": lambda: s.greedy(P, R),
    "penalty": lambda: s.penalised(jnp.ones(3), 1),
    "prune": lambda: s.prune(jnp.ones(3), 2),
    "finished": lambda: s.mark_finished(jnp.array([0, 3, 1]), 0.5),
}
EXPECT = {
    "greedy": ("TracerBoolConversionError",),
    "penalty": ("TracerIntegerConversionError",),
    "prune": ("TracerBoolConversionError", "ConcretizationTypeError"),
    "finished": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: s.search(P, R, beams=3, normalise="length"),
    lambda: s.mark_finished_rows(jnp.ones((2, 3), int), jnp.ones(2)),
    lambda: s.detokenise(jnp.array([0, 3, 1]), "abcdefgh"),
]
