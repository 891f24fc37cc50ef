import chemistry_rates as m
import jax.numpy as jnp

HOSTILE = {
    "negative": lambda: m.react(jnp.ones(3), jnp.ones(3), 0.1),
    "spent": lambda: m.settle_fast(jnp.ones(3), jnp.ones(3), 0.1),
}
EXPECT = {
    "negative": ("TracerBoolConversionError",),
    "spent": ("ConcretizationTypeError",),
}
