import jax.numpy as jnp
import nested_config as m

D = {"kernel": jnp.ones((3, 3)), "bias": jnp.zeros(3)}
P = {"layer_0": D, "layer_1": D, "head": {"kernel": jnp.ones((3, 2))}}

HOSTILE = {
    "huge": lambda: m.model(P, jnp.ones((4, 3))),
}
EXPECT = {
    "huge": ("TracerBoolConversionError",),
}
