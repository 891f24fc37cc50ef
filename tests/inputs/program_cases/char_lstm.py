import char_lstm as m
import jax.numpy as jnp

P = {
    "embed": jnp.ones((7, 3)),
    "wx": jnp.ones((3, 16)),
    "wh": jnp.ones((4, 16)),
    "b": jnp.zeros(16),
    "out": jnp.ones((4, 7)),
}

HOSTILE = {
    "saturated": lambda: m.step(P, (jnp.zeros(4), jnp.zeros(4)), jnp.arange(5)),
}
EXPECT = {
    "saturated": ("TracerBoolConversionError",),
}
