"""Skip-gram with negative sampling."""

import jax
import jax.numpy as jnp
import numpy as np
from compiling import compiled
from jax.tree_util import Partial


class Vocabulary:
    """Words and their numbers; grows while text is read, on the host."""

    def __init__(self):
        self.index = {}
        self.counts = []

    def add(self, word):
        number = self.index.setdefault(word, len(self.index))
        if number == len(self.counts):
            self.counts.append(0)
        self.counts[number] += 1
        return number

    def pairs(self, text, reach=2):
        numbers = [self.add(word) for word in text.lower().split()]
        found = []
        for at, centre in enumerate(numbers):
            for other in range(max(0, at - reach), min(len(numbers), at + reach + 1)):
                if other != at:
                    found.append((centre, numbers[other]))
        return np.array(found)


def pair_loss(params, centre, context, negatives):
    vector = params["word"][centre]
    parts = [jax.nn.softplus(-vector @ params["context"][context])]
    parts += [jax.nn.softplus(params["context"][negatives] @ vector).sum()]
    return sum(parts)


def norm_penalty(strength, params):
    sizes = []
    jax.tree.map(lambda leaf: sizes.append((leaf**2).sum()), params)
    return strength * sum(sizes)


@compiled(static_argnames=("samples",))
def learn(params, pairs, key, penalty, samples=3):
    negatives = jax.random.randint(key, (pairs.shape[0], samples), 0, params["word"].shape[0])

    def objective(params):
        each = jax.vmap(pair_loss, in_axes=(None, 0, 0, 0))
        return each(params, pairs[:, 0], pairs[:, 1], negatives).mean() + penalty(params)

    loss, gradient = jax.value_and_grad(objective)(params)
    return jax.tree.map(lambda p, g: p - 0.3 * g, params, gradient), loss


@compiled
def nearest(params, number):
    table = params["word"] / jnp.linalg.norm(params["word"], axis=1, keepdims=True)
    similar = table @ table[number]
    similar = similar.at[number].set(-1.0)
    return similar.argmax()


def train(text, epochs=4, width=5, seed=0):
    vocabulary = Vocabulary()
    pairs = vocabulary.pairs(text)
    key, first, second = jax.random.split(jax.random.key(seed), 3)
    shape = (len(vocabulary.index), width)
    params = {"word": jax.random.normal(first, shape), "context": jax.random.normal(second, shape)}
    penalty = Partial(norm_penalty, 1e-3)
    losses = []
    for _ in range(epochs):
        key, sub = jax.random.split(key)
        params, loss = learn(params, pairs, sub, penalty)
        losses.append(float(loss))
    print(f"{learn.calls} calls, last loss {losses[-1]:.3f}")
    return vocabulary, params


def neighbours(vocabulary, params, words):
    names = list(vocabulary.index)
    return {word: names[int(nearest(params, vocabulary.index[word]))] for word in words}
