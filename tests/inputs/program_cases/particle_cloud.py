import jax
import jax.numpy as jnp
import particle_cloud as m

HOSTILE = {
    "degenerate": lambda: m.step(
        jax.random.key(0), jnp.ones((8, 2)), jnp.ones(8) / 8, jnp.zeros(2)
    ),
}
EXPECT = {
    "degenerate": ("TracerBoolConversionError",),
}
