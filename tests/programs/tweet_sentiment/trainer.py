"""Fit the mood classifier."""

import jax
import jax.numpy as jnp

from journal import Journal, collect
from model import init, scores


class Trainer:
    """Plain gradient descent with a journal.

    Args:
      vocabulary: number of words.
      rate: the learning rate.
    """

    def __init__(self, vocabulary, rate=0.5):
        self.params = init(jax.random.key(1), vocabulary)
        self.rate = rate
        self.epoch = 0
        self.updates = 0
        self.last_logits = None
        self.journal = Journal("fit")
        self.host_journal = []
        self.step = jax.jit(self._step)
        self.accuracy = jax.jit(self._accuracy)

    def _loss(self, params, batch):
        logits = scores(params, batch["counts"])
        self.last_logits = logits  # expect: JIT204 @logits
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits), batch["mood"][:, None], axis=1)
        return -picked.mean()

    def _step(self, params, batch):
        loss, grads = jax.value_and_grad(self._loss)(params, batch)
        self.updates += 1  # expect: JIT204 @updates
        parts = collect({}, grads)
        self.journal.add("norm", parts["total"])
        params = jax.tree.map(lambda p, g: p - self.rate * g, params, grads)
        return params, {"loss": loss, **parts}

    def _accuracy(self, params, batch):
        kept = []
        logits = scores(params, batch["counts"], probe=lambda name, value: kept.append(value))
        assert len(kept) == 2
        return (logits.argmax(axis=-1) == batch["mood"]).mean()

    def fit(self, batches, epochs=2):
        for _ in range(epochs):
            for batch in batches:
                self.params, metrics = self.step(self.params, batch)
                self.host_journal.append({k: float(v) for k, v in metrics.items()})
            self.epoch += 1
            print(f"epoch {self.epoch}: {self.host_journal[-1]['loss']:.3f}")
        return self.params
