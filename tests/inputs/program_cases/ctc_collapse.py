import ctc_collapse as m
import jax.numpy as jnp

HOSTILE = {
    "keep": lambda: m.collapse(jnp.ones((5, 3))),
    "lowest": lambda: m.confidence(
        {"kernel": jnp.ones((4, 3)), "bias": jnp.zeros(3)}, jnp.ones((5, 4))
    ),
}
EXPECT = {
    "keep": ("NonConcreteBooleanIndexError",),
    "lowest": ("TracerBoolConversionError",),
}
