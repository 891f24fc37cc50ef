import jax
import jax.numpy as jnp
import numpy as np

import generated

from tools.harm import text_size


def small():
    generated.main()
    assert text_size(generated.distances, 1.0) < 10_000
    assert text_size(generated.noise, jax.random.key(0), size=1500) < 50_000
    model = generated.Model(np.ones((1500, 1500)))
    assert text_size(model.apply, model.weights, jnp.ones(1500)) < 10_000


HOSTILE = {}
INNOCENT = [small]
