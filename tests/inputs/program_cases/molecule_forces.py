import jax.numpy as jnp
import molecule_forces as m

F = {"cutoff": 2.0, "epsilon": 1.0, "sigma": 1.0}

HOSTILE = {
    "cutoff": lambda: m.verlet(jnp.eye(3), jnp.zeros((3, 3)), jnp.ones(3), F, 0.1),
}
EXPECT = {
    "cutoff": ("TracerBoolConversionError",),
}
