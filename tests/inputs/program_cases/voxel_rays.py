import jax.numpy as jnp
import voxel_rays as m

HOSTILE = {
    "empty": lambda: m.render(jnp.ones((4, 4, 4)), jnp.zeros(3), jnp.ones((5, 3))),
}
EXPECT = {
    "empty": ("TracerBoolConversionError",),
}
