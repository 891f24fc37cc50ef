from unittest.mock import patch

import hidden_markov as m
import jax.numpy as jnp

P = {"start": jnp.ones(3) / 3, "trans": jnp.ones((3, 3)) / 3, "emit": jnp.ones((3, 5)) / 5}

HOSTILE = {
    "impossible": lambda: m.score(P, jnp.zeros((2, 4), int)),
    "best": lambda: patch.object(m, "batched", lambda p, s: jnp.ones(2))(m.score)(
        P, jnp.zeros((2, 4), int)
    ),
}
EXPECT = {
    "impossible": ("TracerBoolConversionError",),
    "best": ("ConcretizationTypeError",),
}
