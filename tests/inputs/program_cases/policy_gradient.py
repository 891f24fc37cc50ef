import jax.numpy as jnp
import policy_gradient as m

P = {"layers": [{"w": jnp.ones((4, 5)), "b": jnp.zeros(5)}], "logits": jnp.ones((5, 2))}
E = {"observations": jnp.ones((6, 4)), "actions": jnp.zeros(6, int), "rewards": jnp.ones(6)}

HOSTILE = {
    "deviation": lambda: m.improve(P, E),
}
EXPECT = {
    "deviation": ("TracerBoolConversionError",),
}
