import bandit_policy as m
import jax
import jax.numpy as jnp

HOSTILE = {
    "explore": lambda: m.choose(jax.random.key(0), jnp.ones(3), jnp.ones(3), 1.0, 0.1),
    "arm": lambda: m.learn(jnp.ones(3), jnp.ones(3), 1, 0.5),
}
EXPECT = {
    "explore": ("TracerBoolConversionError",),
    "arm": ("TracerIntegerConversionError",),
}
