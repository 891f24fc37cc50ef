import hash_codes as m
import jax.numpy as jnp

HOSTILE = {
    "bucket": lambda: m.buckets(jnp.ones((8, 3)), jnp.ones((5, 3))),
    "same": lambda: m.collisions(jnp.ones((8, 3)), jnp.ones(3), jnp.ones((5, 3))),
}
EXPECT = {
    "bucket": ("TypeError",),
    "same": ("NonConcreteBooleanIndexError",),
}
