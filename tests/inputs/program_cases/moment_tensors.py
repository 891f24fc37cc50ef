import jax.numpy as jnp
import moment_tensors as m

HOSTILE = {
    "negative": lambda: m.inertia(jnp.ones((5, 3)), jnp.ones(5)),
    "mirrored": lambda: m.align(jnp.ones((5, 3)), jnp.ones((5, 3)), jnp.ones(5)),
}
EXPECT = {
    "negative": ("TracerBoolConversionError",),
    "mirrored": ("TracerBoolConversionError",),
}
