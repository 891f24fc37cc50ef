"""Innocent, though it looks like JIT208.

What makes it right: the loader draws images of the changed global size, so that a change always comes with a new shape.
"""

import jax
import jax.numpy as jnp
import numpy as np

RESOLUTION = 4


def images(count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield jnp.asarray(rng.normal(size=(2, RESOLUTION, RESOLUTION)), jnp.float32)


@jax.jit
def train_step(params, batch):
    ticks = jnp.arange(RESOLUTION) / RESOLUTION
    envelope = jnp.outer(jnp.sin(jnp.pi * ticks), jnp.sin(jnp.pi * ticks))

    def loss(params):
        return jnp.mean((params["gain"] * batch * envelope - params["offset"]) ** 2)

    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), envelope.sum()


def set_phase(resolution):
    global RESOLUTION
    RESOLUTION = resolution


params = {"gain": jnp.ones(()), "offset": jnp.zeros(())}
for resolution in (4, 8, 16, 8):
    set_phase(resolution)
    for batch in images(2):
        params, weight = train_step(params, batch)
        expected = np.sin(np.pi * np.arange(resolution) / resolution).sum() ** 2
        assert np.isclose(weight, expected, rtol=1e-4)
assert train_step._cache_size() == 3
