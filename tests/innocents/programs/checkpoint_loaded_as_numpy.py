"""Looks like a fault of JIT310.

What is loaded from the checkpoint are arrays of NumPy, which are not donated.

`jax.device_get` has made them so when the checkpoint was written.
"""
import io
import pickle
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def save(stream, **trees):
    pickle.dump({name: jax.device_get(tree) for name, tree in trees.items()}, stream)


def load(stream):
    return pickle.loads(stream.getvalue())


@partial(jax.jit, donate_argnums=0)
def fine_tune(params, batch):
    return jax.tree.map(lambda p: p - 0.1 * jnp.mean(batch) * p, params)


def drift(stream, batches):
    """How far each fine-tuning goes from the checkpoint."""
    start = load(stream)["params"]
    distances = []
    for batch in batches:
        tuned = fine_tune(start, batch)
        change = jax.tree.map(lambda new, old: jnp.abs(new - old).max(), tuned, start)
        distances.append(max(jax.tree.leaves(change)))
    return start, distances


if __name__ == "__main__":
    stream = io.BytesIO()
    save(stream, params={"w": jnp.ones((4, 4)), "b": jnp.full(4, 2.0)}, step=jnp.int32(3))
    start, distances = drift(stream, [jnp.ones(3), 2 * jnp.ones(3)])
    assert np.array_equal(start["w"], np.ones((4, 4)))
    assert np.allclose(distances, [0.2, 0.4])
    assert np.array_equal(start["b"], np.full(4, 2.0))
