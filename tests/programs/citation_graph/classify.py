"""Semi-supervised training on a few labelled papers."""

import jax
import jax.numpy as jnp

from .layers import Graph, forward


class Classifier:
    """Parameters that are updated from outside, and the graph they belong to."""

    def __init__(self, params, graph: Graph, labels):
        self.params = params
        self.graph = graph
        self.labels = labels

    def loss(self, params, mask):
        logs = jax.nn.log_softmax(forward(params, self.graph))
        chosen = jnp.take_along_axis(logs, self.labels[:, None], axis=1)[:, 0]
        return -(chosen * mask).sum() / mask.sum()

    def descend(self, params, mask):
        gradient = jax.grad(self.loss)(params, mask)
        return jax.tree.map(lambda p, g: p - 0.05 * g, params, gradient)

    def train_carelessly(self, mask, epochs):
        for _ in range(epochs):
            self.params = jax.jit(self.descend)(self.params, mask)  # expect: JIT301 @bound

    def train(self, mask, epochs):
        descend = jax.jit(self.descend)
        for _ in range(epochs):
            self.params = descend(self.params, mask)


def masked_accuracy(scores, labels, mask):
    right = (scores.argmax(axis=-1) == labels).astype(jnp.float32)
    return (right * mask).sum() / mask.sum()


def accuracy_on_subset():
    """The accuracy, compiled for one number of classes."""
    return jax.jit(masked_accuracy, static_argnums=(3,))  # expect: JIT305 @position


accuracy = jax.jit(masked_accuracy)
