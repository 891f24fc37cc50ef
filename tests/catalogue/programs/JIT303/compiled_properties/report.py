from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp

from model import Autoencoder


class Study:
    def __init__(self):
        self.model = Autoencoder(4, 2)

    def anomaly(self, x):
        score = jax.jit(lambda x: jnp.max(jnp.abs(self.model._reconstruct(x) - x)))  # expect: JIT303 @pool
        return score(x)

    def scores(self, rows):
        with ThreadPoolExecutor(1) as pool:
            return list(pool.map(self.anomaly, rows))


def summary(train, test):
    model = Autoencoder(4, 2)
    return model.error(train), model.error(test), model.reconstruct(test)
