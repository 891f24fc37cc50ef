import cartpole_control as m
import jax
import jax.numpy as jnp

S = m.State(jnp.array(0.0), jnp.array(0.1), jnp.array(0.0))

HOSTILE = {
    "action": lambda: m.step(m.Config(), S, 1),
    "done": lambda: jax.jit(lambda s: m.step.__wrapped__(m.Config(), s, 1))(S),
}
EXPECT = {
    "action": ("TracerBoolConversionError",),
    "done": ("TracerBoolConversionError",),
}
