"""The prognostic fields."""

import flax.struct
import jax
import jax.numpy as jnp


@flax.struct.dataclass
class Water:
    height: jax.Array
    flow: jax.Array
    spacing: float = flax.struct.field(pytree_node=False, default=0.1)

    @property
    def wave_speed(self):
        return jnp.abs(self.flow / self.height) + jnp.sqrt(9.81 * self.height)

    @property
    def cells(self):
        return self.height.shape[0]


def mound(cells, depth=1.0):
    x = jnp.linspace(0.0, 1.0, cells, endpoint=False)
    return Water(depth + 0.1 * jnp.exp(-100 * (x - 0.5) ** 2), jnp.zeros(cells), 1.0 / cells)
