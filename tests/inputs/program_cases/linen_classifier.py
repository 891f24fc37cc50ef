from types import SimpleNamespace
from unittest.mock import patch

import jax.numpy as jnp
import linen_classifier as m

V = {
    "params": {
        "Dense_0": {"kernel": jnp.ones((4, 8)), "bias": jnp.zeros(8)},
        "Dense_1": {"kernel": jnp.ones((8, 3)), "bias": jnp.zeros(3)},
    }
}

HOSTILE = {
    "flat": lambda: m.evaluate(V, jnp.ones((5, 4)), jnp.zeros(5, int)),
    "misses": lambda: patch.object(m, "model", SimpleNamespace(apply=lambda v, x: x))(m.evaluate)(
        V, jnp.ones((5, 4)), jnp.zeros(5, int)
    ),
}
EXPECT = {
    "flat": ("TracerBoolConversionError",),
    "misses": ("NonConcreteBooleanIndexError",),
}
