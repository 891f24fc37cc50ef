"""Search."""

import sys

import jax
import jax.numpy as jnp

from arena.envs import CountingPole, Pole
from arena.rollouts import Searcher

ENVS = {"pole": Pole, "counting": CountingPole}


def search(make_env, rounds=2):
    searcher = Searcher(make_env())
    best, best_score = None, -1.0
    for key in jax.random.split(jax.random.key(0), rounds):
        weights = jax.random.normal(key, (2,))
        score = float(searcher.evaluate(weights, key))
        if score > best_score:
            best, best_score = weights, score
    return best


if __name__ == "__main__":
    print(search(ENVS[sys.argv[1]]))
