"""Trains whatever it is given."""

import functools

import jax


class Trainer:
    """Holds a network and an objective that were made elsewhere.

    Args:
      net: gives logits for parameters and inputs.
      objective: gives a loss for logits and labels.
      tracker: is told about every step.
    """

    def __init__(self, net, objective, tracker=None):
        self.net = net
        self.objective = objective
        self.tracker = tracker

    def loss(self, params, batch):
        logits = self.net.forward(params, batch["x"])
        return self.objective.cost(logits, batch["y"])

    @functools.partial(jax.jit, static_argnums=0)
    def train_step(self, params, batch):
        loss, grads = jax.value_and_grad(self.loss)(params, batch)
        if self.tracker is not None:
            self.tracker.observe(loss)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss

    @functools.partial(jax.jit, static_argnums=0)
    def topics(self, params, x):
        return self.net.top_topics(params, x)
