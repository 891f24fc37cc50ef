"""Innocent, though it looks like JIT106.

What makes it right: pickle with __setstate__.
"""

import pickle

import jax
import jax.numpy as jnp
import numpy as np


class Tokens:
    def __init__(self, n):
        self.ids = np.arange(n)

    def __setstate__(self, state):
        self.__dict__ = {name: jnp.asarray(value) for name, value in state.items()}


tokens = pickle.loads(pickle.dumps(Tokens(5)))


@jax.jit
def token(i):
    return tokens.ids[i]


print(token(jnp.int32(2)))
