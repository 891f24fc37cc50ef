import jax.numpy as jnp
import rigid_chain as m

L = [{"axis": jnp.array([0.0, 0.0, 1.0]), "offset": jnp.ones(3)}] * 2

HOSTILE = {
    "bent": lambda: m.jacobian(L, jnp.ones(2)),
}
EXPECT = {
    "bent": ("TracerBoolConversionError",),
}
