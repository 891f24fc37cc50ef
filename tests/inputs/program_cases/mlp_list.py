import jax.numpy as jnp
import mlp_list as m

L = [(jnp.ones((3, 4)), jnp.zeros(4)), (jnp.ones((4, 2)), jnp.zeros(2))]

HOSTILE = {
    "nan": lambda: m.update(L, (jnp.ones((5, 3)), jnp.ones((5, 2))), 0.1),
}
EXPECT = {
    "nan": ("TracerBoolConversionError",),
}
