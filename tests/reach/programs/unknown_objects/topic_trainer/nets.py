"""Networks, objectives and trackers."""

import jax
import jax.numpy as jnp


class TopicNet:
    """Two layers over word counts."""

    def __init__(self, words, topics):
        self.words, self.topics = words, topics

    def start(self, key):
        first, second = jax.random.split(key)
        return {
            "in": jax.random.normal(first, (self.words, 4)),
            "out": jax.random.normal(second, (4, self.topics)),
        }

    def forward(self, params, x):
        hidden = jnp.tanh(x @ params["in"])
        return hidden @ params["out"]

    def top_topics(self, params, x):
        """The topics of each document that matter."""
        share = jax.nn.softmax(self.forward(params, x))
        return [jnp.nonzero(row > 0.3)[0] for row in share]  # expect: JIT109 @topics


class Hinge:
    """Only what is wrong by a margin costs something."""

    margin = 1.0

    def cost(self, logits, labels):
        right = jnp.take_along_axis(logits, labels[:, None], axis=1)
        gaps = jnp.maximum(0.0, logits - right + self.margin).sum(axis=1)
        if (gaps == 0).all():  # expect: JIT101 @satisfied
            return jnp.zeros(())
        return gaps.mean()


class CrossEntropy:
    """The usual one."""

    smoothing = 0.1

    def cost(self, logits, labels):
        targets = jax.nn.one_hot(labels, logits.shape[-1])
        if self.smoothing > 0:
            targets = (1 - self.smoothing) * targets + self.smoothing / logits.shape[-1]
        return -jnp.mean(jnp.sum(targets * jax.nn.log_softmax(logits), axis=-1))


class BestLoss:
    """Keeps what was seen."""

    def __init__(self):
        self.losses = []

    def observe(self, loss):
        self.losses.append(loss)  # expect: JIT202 @losses
