"""Gradient descent whose rate halves when the loss stalls."""

import jax
import jax.numpy as jnp


def make_trainer(rate=0.4):
    def loss_fn(w, x, y):
        return jnp.mean((x @ w - y) ** 2)

    @jax.jit
    def update(w, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(w, x, y)
        return w - rate * grads, loss  # expect: JIT208 @rate

    def halve():
        nonlocal rate
        rate *= 0.5

    return update, halve


def fit(x, y, epochs=5):
    update, halve = make_trainer()
    w = jnp.zeros(x.shape[1])
    best = float("inf")
    for _ in range(epochs):
        w, loss = update(w, x, y)
        if loss > 0.9 * best:
            halve()
        best = min(best, float(loss))
    return w
