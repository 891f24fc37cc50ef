"""Statistics that compile themselves; the bootstrap calls what it is given."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from scipy import stats


def trimmed(x, share):
    cut = int(share * x.shape[0])
    return jnp.sort(x)[cut : x.shape[0] - cut].mean()


class Statistics:
    def __init__(self, share=0.25):
        self.share = share

    def location(self, sample):
        return float(jax.jit(partial(trimmed, share=self.share))(sample))  # expect: JIT303 @partial

    def interval(self, sample):
        return stats.bootstrap(
            (sample,), self.location, n_resamples=3, vectorized=False, method="percentile"
        )


def main():
    return Statistics().interval(np.arange(8.0)).confidence_interval
