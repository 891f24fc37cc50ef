import jax.numpy as jnp
import sudoku_check as m

B = jnp.zeros((9, 9), int)

HOSTILE = {
    "rows": lambda: m.solved(B),
    "candidates": lambda: m.candidates(B, 0, 0),
}
EXPECT = {
    "rows": ("TracerBoolConversionError",),
    "candidates": ("ConcretizationTypeError",),
}
