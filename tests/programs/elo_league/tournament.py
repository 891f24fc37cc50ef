"""A tournament among evolving players."""

import jax
import jax.numpy as jnp
import numpy as np

from .ratings import League, compress, rescale, settle_static

champions = {"by_round": {}}


def soft_sign(x):
    return x / (1.0 + jnp.abs(x))


def reshaped(ratings):
    return rescale(ratings, soft_sign)  # expect: JIT308 @shape


class Tournament:
    def __init__(self, players, seed):
        self.league = League(32.0)
        self.ratings = jnp.full(players, 1500.0, jnp.float32)
        self.rng = np.random.default_rng(seed)
        self._play = jax.jit(self._play_round)

    def _play_round(self, ratings, games, number):
        ratings, tops = self.league.season(ratings, games)
        self._crown(tops)
        noise = self.rng.normal(size=ratings.shape)  # expect: JIT207 @form
        return ratings + noise + 0.0 * number

    def _crown(self, tops):
        rounds = champions["by_round"]
        rounds[len(rounds)] = tops[-1]  # expect: JIT202 @crown

    def run(self, rounds):
        for number in range(rounds):
            games = self.rng.permuted(np.tile(np.arange(self.ratings.size), (4, 1)), axis=1)
            self.ratings = self._play(self.ratings, games[:, :2], number)
        return compress(self.ratings)

    def friendly(self, first, second):
        self.ratings = settle_static(self.league, self.ratings, first, second)
        return self.ratings
