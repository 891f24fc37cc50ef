"""Active learning: which example is worth asking an expert about?"""

import functools
import random

import jax
import jax.numpy as jnp
import numpy as np


def logits(params, inputs):
    hidden = jnp.tanh(inputs @ params["in"])
    return hidden @ params["out"]


def loss(params, inputs, targets, mask):
    logs = jax.nn.log_softmax(logits(params, inputs))
    picked = jnp.take_along_axis(logs, targets[:, None], axis=1)[:, 0]
    return -(picked * mask).sum() / mask.sum()


@jax.jit
def improve(params, inputs, targets, mask):
    def descend(_, params):
        gradient = jax.grad(loss)(params, inputs, targets, mask)
        return jax.tree.map(lambda p, g: p - 0.3 * g, params, gradient)

    return jax.lax.fori_loop(0, 10, descend, params)


def entropy(params, inputs):
    share = jax.nn.softmax(logits(params, inputs))
    return -(share * jnp.log(share + 1e-9)).sum(axis=-1)


def margin(params, inputs):
    share = jnp.sort(jax.nn.softmax(logits(params, inputs)), axis=-1)
    return share[:, -2] - share[:, -1]


STRATEGIES = {"entropy": entropy, "margin": margin, "first": lambda params, inputs: -inputs[:, 0]}


class Oracle:
    """An expert who knows the answers and counts how often we asked."""

    def __init__(self, targets):
        self.targets = targets
        self.asked = 0
        self.log = []

    def answer(self, index):
        self.asked += 1
        self.log.append(index)
        return self.targets[index]


def acquire(strategy, params, inputs, mask):
    scores = strategy(params, inputs)
    return jnp.where(mask > 0, -jnp.inf, scores).argmax()


def run(name, params, inputs, oracle, budget):
    pick = jax.jit(functools.partial(acquire, STRATEGIES[name]))
    targets = np.zeros(len(inputs), np.int32)
    mask = np.zeros(len(inputs), np.float32)
    known = set()
    for index in random.sample(range(len(inputs)), 3):
        targets[index] = oracle.answer(index)
        mask[index] = 1.0
        known.add(index)
    while oracle.asked < budget:
        params = improve(params, inputs, targets, mask)
        index = int(pick(params, inputs, mask))
        targets[index] = oracle.answer(index)
        mask[index] += 1.0
        known.add(index)
        print(f"asked about {index}, {len(known)} known")
    return params
