import jax.numpy as jnp
import temporal_pooling as m

HOSTILE = {
    "label": lambda: m.summary(
        {"weights": jnp.ones((3, 2))}, jnp.ones((2, 4, 3)), jnp.ones((2, 4), bool)
    ),
}
EXPECT = {
    "label": ("TracerBoolConversionError",),
}
