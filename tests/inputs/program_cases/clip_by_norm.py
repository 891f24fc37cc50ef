import clip_by_norm as m
import jax.numpy as jnp

P = {
    "first": {"kernel": jnp.ones((3, 4)), "bias": jnp.zeros(4)},
    "second": {"kernel": jnp.ones((4, 1)), "bias": jnp.zeros(1)},
}

HOSTILE = {
    "limit": lambda: m.train(P, jnp.ones((5, 3)), jnp.ones(5)),
}
EXPECT = {
    "limit": ("TracerBoolConversionError",),
}
