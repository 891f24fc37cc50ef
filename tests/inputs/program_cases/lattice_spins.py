import jax
import jax.numpy as jnp
import lattice_spins as m

HOSTILE = {
    "accept": lambda: m.sweep(jax.random.key(0), jnp.ones((8, 8)), 0.4, 1.0),
}
EXPECT = {
    "accept": ("TracerBoolConversionError",),
}
