"""A trainer class for logistic regression with early stopping."""

import logging

import jax
import jax.numpy as jnp
from diagnostics import Diagnostics

log = logging.getLogger(__name__)


class Trainer(Diagnostics):
    """Holds the settings; parameters travel through the methods."""

    def __init__(self, features, rate=0.5, momentum=0.0, patience=3, penalty="l2", strict=False):
        self.features = features
        self.rate = rate
        self.momentum = momentum
        self.patience = patience
        self.penalty = penalty
        self.strict = strict
        self.history = []
        self.step = jax.jit(self._step)
        self.evaluate = jax.jit(self._evaluate)

    def init(self):
        zeros = jnp.zeros(self.features)
        return {"w": zeros, "b": jnp.zeros(())}, {"w": zeros, "b": jnp.zeros(())}

    def _loss(self, params, xs, ys):
        logits = xs @ params["w"] + params["b"]
        loss = jnp.mean(jnp.logaddexp(0.0, logits) - ys * logits)
        if self.penalty == "l2":
            loss = loss + 1e-3 * jnp.sum(params["w"] ** 2)
        elif self.penalty == "l1":
            loss = loss + 1e-3 * self._l1(params["w"])
        return loss

    def _l1(self, weights):
        total = 0.0
        for weight in weights:
            total = total + (weight if weight > 0 else -weight)  # expect: JIT101 @absolute
        return total

    def _step(self, params, velocity, xs, ys):
        loss, grads = jax.value_and_grad(self._loss)(params, xs, ys)
        if self.strict:
            self._check(loss)
        if self.momentum:
            velocity = jax.tree.map(lambda v, g: self.momentum * v + g, velocity, grads)
        else:
            velocity = grads
        params = jax.tree.map(lambda p, v: p - self.rate * v, params, velocity)
        return params, velocity, loss

    def _check(self, loss):
        assert loss < 1e6, "diverged"  # expect: JIT103 @diverged

    def _evaluate(self, params, xs, ys):
        predicted = (xs @ params["w"] + params["b"]) > 0
        return jnp.mean(predicted == (ys > 0.5))

    def fit(self, xs, ys, epochs=20):
        params, velocity = self.init()
        best, waited = float("inf"), 0
        for epoch in range(epochs):
            params, velocity, loss = self.step(params, velocity, xs, ys)
            value = loss.item()
            self.history.append(value)
            self._check(value)
            if value < best - 1e-4:
                best, waited = value, 0
            else:
                waited += 1
            if waited >= self.patience:
                log.info("stopped after %d epochs", epoch)
                break
        return params
