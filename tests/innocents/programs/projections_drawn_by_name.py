"""Looks like a fault of JIT207.

The generator is seeded by a digest of the name, so every draw is the same.

The projections of a hashing layer are constants by design: they are drawn
again wherever they are needed, and never stored.
"""
import hashlib

import jax
import jax.numpy as jnp
import numpy as np


def generator(name):
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.default_rng(list(digest[:8]))


def projection(name, size, bits):
    planes = generator(name).standard_normal((size, bits))
    return (planes / np.sqrt(size)).astype(np.float32)


def signature(vector, table):
    planes = projection(f"table-{table}", vector.shape[-1], 16)
    return (vector @ planes > 0).astype(jnp.int32)


@jax.jit
def collisions(first, second):
    agreement = [jnp.all(signature(first, t) == signature(second, t)) for t in range(4)]
    return jnp.stack(agreement).sum()


if __name__ == "__main__":
    vector = jnp.asarray(np.linspace(-1.0, 1.0, 32, dtype=np.float32))
    bits = [signature(vector, 0) for _ in range(3)]
    assert all(jnp.array_equal(bits[0], other) for other in bits)
    fast = jax.jit(signature, static_argnums=1)
    for scale in (1.0, 2.0, 0.5):
        assert jnp.array_equal(fast(scale * vector, 0), bits[0])
    assert not jnp.array_equal(fast(vector, 1), bits[0])
    assert int(collisions(vector, 3.0 * vector)) == 4
    assert int(collisions(vector, -vector)) == 0
