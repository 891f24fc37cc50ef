import grid_agent as m
import jax.numpy as jnp

HOSTILE = {
    "change": lambda: m.iterate(jnp.zeros((4, 5)), jnp.ones((4, 5)), jnp.zeros((4, 5), bool)),
}
EXPECT = {
    "change": ("TracerBoolConversionError",),
}
