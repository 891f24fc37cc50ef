import jax.numpy as jnp
import portfolio_weights as m

HOSTILE = {
    "worse": lambda: m.ascend(jnp.ones(3) / 3, jnp.ones((6, 3)), jnp.eye(3), 1.0),
}
EXPECT = {
    "worse": ("TracerBoolConversionError",),
}
