import circuit as c
import jax
import jax.numpy as jnp

S = c.ansatz(0.3 * jnp.ones((1, 2)), 2)
HOSTILE = {
    "pauli": lambda: c.noisy_layer(S, jnp.array([0, 1]), 2),
    "either": lambda: c.teleport_fix(c.X[0], 1, 0),
    "label": lambda: c.describe(S[0]),
}
SILENT = {"norm": lambda: float(jnp.linalg.norm(c.normalised(3 * S))) > 2.0}
EXPECT = {
    "pauli": ("TracerIntegerConversionError",),
    "either": ("TracerBoolConversionError",),
    "label": ("TypeError",),
}
INNOCENT = [
    lambda: jax.jit(jax.grad(c.make_energy(c.lift(c.Z, 0, 2), 2)))(jnp.ones((2, 2))),
    lambda: c.noisy_layer_stacked(S, jnp.array([0, 2]), 2),
    lambda: c.fix_phase(S, 1),
    lambda: c.probabilities(S),
]
