"""Innocent, though it looks like JIT106.

What makes it right: vars().update.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Vocabulary:
    def __init__(self, sizes):
        self.offsets = np.cumsum(sizes)
        self.freeze()

    def freeze(self):
        vars(self).update(jax.tree.map(jnp.asarray, dict(vars(self))))


vocabulary = Vocabulary([3, 5, 7])


@jax.jit
def offset_of(field):
    return vocabulary.offsets[field]


print(offset_of(jnp.int32(1)))
