import jax.numpy as jnp
import quaternion_pose as m

HOSTILE = {
    "unit": lambda: m.rotate_all(jnp.ones(4), jnp.ones((5, 3))),
    "shortest": lambda: m.slerp(jnp.ones(4), jnp.ones(4), 0.5),
}
EXPECT = {
    "unit": ("TracerBoolConversionError",),
    "shortest": ("TracerBoolConversionError",),
}
