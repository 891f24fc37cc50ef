import adam_state as m
import jax.numpy as jnp

P = {"w": jnp.ones(3)}

HOSTILE = {
    "warmup": lambda: m.update(P, P, m.AdamState(jnp.array(0), P, P), 0.1),
}
EXPECT = {
    "warmup": ("TracerBoolConversionError",),
}
