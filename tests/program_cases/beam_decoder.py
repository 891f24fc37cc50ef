import jax
import jax.numpy as jnp
import beams
import decode
import lm
import search

P = lm.init_params(jax.random.key(0))
R = jnp.array([lm.BOS])
HOSTILE = {
    "greedy": lambda: search.greedy(P, R),
    "penalty": lambda: beams.penalised(jnp.ones(3), 1),
    "prune": lambda: beams.prune(jnp.ones(3), 2),
    "finished": lambda: beams.mark_finished(jnp.array([0, 3, 1]), 0.5),
}
EXPECT = {
    "greedy": ("TracerBoolConversionError",),
    "penalty": ("TracerIntegerConversionError",),
    "prune": ("TracerBoolConversionError", "ConcretizationTypeError"),
    "finished": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: search.search(P, R, beams=3, normalise="length"),
    lambda: beams.mark_finished_rows(jnp.ones((2, 3), int), jnp.ones(2)),
    lambda: decode.detokenise(jnp.array([0, 3, 1]), "abcdefgh"),
]
