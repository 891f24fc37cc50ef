import jax
import jax.numpy as jnp

import classifier

from tools.harm import same

X = jnp.ones((3, 4))


def rngs():
    state = classifier.create_state(jax.random.key(0), X)
    return same(classifier.logits(state, X), classifier.logits(state, X))


def step():
    state = classifier.create_state(jax.random.key(0), X)
    return classifier.train_step(state, X, jnp.array([0, 1, 0])).params


HOSTILE = {}
SILENT = {"rngs": rngs}
INNOCENT = [step]
