from unittest.mock import patch

import jax.numpy as jnp
import resnet_blocks as m

P = {
    "stem": jnp.ones((3, 4)),
    "blocks": [{"scale": jnp.ones(4), "up": jnp.ones((4, 8)), "down": jnp.ones((8, 4))}],
    "head": jnp.ones((4, 5)),
}

HOSTILE = {
    "overflow": lambda: m.accuracy(P, jnp.ones((2, 6, 3)), jnp.zeros(2, int)),
    "item": lambda: patch.object(m, "network", lambda p, x: x[0])(m.accuracy)(
        P, jnp.ones((2, 2, 3)), jnp.zeros(2, int)
    ),
}
EXPECT = {
    "overflow": ("TracerBoolConversionError",),
    "item": ("ConcretizationTypeError",),
}
