import jax.numpy as jnp
import option_prices as m

HOSTILE = {
    "negative": lambda: m.greeks(m.Market(1.0, 0.1, 0.2), jnp.ones((8, 4)), 1.0),
}
EXPECT = {
    "negative": ("TracerBoolConversionError",),
}
