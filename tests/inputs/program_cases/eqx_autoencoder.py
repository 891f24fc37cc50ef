from unittest.mock import patch

import eqx_autoencoder as m
import jax
import jax.numpy as jnp

M = m.Autoencoder(4, 2, jax.random.key(0))

HOSTILE = {
    "dead": lambda: m.loss(M, jnp.ones((3, 4))),
    "format": lambda: patch.object(m, "loss", lambda model, x: jnp.sum(x))(m.train)(
        M, jnp.ones((3, 4))
    ),
}
EXPECT = {
    "dead": ("TracerBoolConversionError",),
    "format": ("TypeError",),
}
