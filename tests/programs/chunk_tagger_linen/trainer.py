"""A trainer whose steps are compiled methods."""

import logging

import jax
import jax.numpy as jnp
import optax

from .models import cross_entropy, per_tag_accuracy

log = logging.getLogger(__name__)


class Trainer:
    """Holds parameters and optimizer state, and trains them."""

    def __init__(self, model, tx, sample, key):
        self.model = model
        self.tx = tx
        self.params = model.init(key, sample)["params"]
        self.opt_state = tx.init(self.params)
        self.steps_done = 0
        self.epochs = 0
        self.grads = None
        self.history = {"loss": [], "grad_norm": []}
        self._train = jax.jit(self._train_step)
        self._score = jax.jit(self._evaluate)

    def _loss(self, params, batch):
        logits = self.model.apply({"params": params}, batch["tokens"])
        return cross_entropy(logits, batch["tags"])

    def _inspect(self, grads):
        self.grads = grads  # expect: JIT204 @grads
        self.history["grad_norm"].append(optax.global_norm(grads))  # expect: JIT202 @norms

    def _train_step(self, params, opt_state, batch):
        loss, grads = jax.value_and_grad(self._loss)(params, batch)
        self._inspect(grads)
        updates, opt_state = self.tx.update(grads, opt_state, params)
        self.steps_done += 1  # expect: JIT204 @counter
        return optax.apply_updates(params, updates), opt_state, loss

    def _evaluate(self, params, batch, average):
        logits = self.model.apply({"params": params}, batch["tokens"])
        scores = per_tag_accuracy(logits, batch["tags"])
        return jnp.mean(scores) if average == "macro" else scores

    def epoch(self, batches):
        """Train on every batch once."""
        for batch in batches:
            self.params, self.opt_state, loss = self._train(self.params, self.opt_state, batch)
            self.history["loss"].append(float(loss))
        self.epochs += 1
        log.info("epoch %d: %.3f", self.epochs, self.history["loss"][-1])

    def validate(self, batch):
        """Macro-averaged accuracy."""
        return self._score(self.params, batch, "macro")  # expect: JIT308 @average

    def predict(self, token_batches):
        """Tags of many batches."""
        tags = []
        for tokens in token_batches:
            logits = jax.jit(self.model.apply)({"params": self.params}, tokens)  # expect: JIT301 @apply
            tags.append(jnp.argmax(logits, -1))
        return tags
