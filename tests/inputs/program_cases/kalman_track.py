import jax.numpy as jnp
import kalman_track as m

B = m.Belief(jnp.zeros(4), jnp.eye(4))

HOSTILE = {
    "gate": lambda: m.track(B, jnp.ones((6, 2)), jnp.eye(4), jnp.eye(2, 4), jnp.eye(4), jnp.eye(2)),
}
EXPECT = {
    "gate": ("TracerBoolConversionError",),
}
