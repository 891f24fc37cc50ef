import jax
import jax.numpy as jnp
import replay_buffer as m

B = m.Buffer(jnp.zeros((4, 2)), jnp.array(0), 4)

HOSTILE = {
    "full": lambda: m.push(B, jnp.ones(2)),
    "count": lambda: m.sample(B, jax.random.key(0), 3),
}
EXPECT = {
    "full": ("TracerBoolConversionError",),
    "count": ("TracerBoolConversionError", "TypeError"),
}
