from unittest.mock import patch

import jax
import jax.numpy as jnp
import linen_transformer as m


def made():
    block, step = m.make_step(2, 4)
    x = jnp.ones((1, 3, 4))
    step(block.init(jax.random.key(0), x)["params"], x, jax.random.key(1))


HOSTILE = {
    "gate": lambda: patch.object(m.jnp, "zeros_like", jnp.zeros_like)(made)(),
}
EXPECT = {
    "gate": ("TracerBoolConversionError",),
}
