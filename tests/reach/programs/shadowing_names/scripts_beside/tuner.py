"""Tune the rate of an optimizer; the scripts beside have nothing to do with it."""

import jax
import jax.numpy as jnp
import optax


def loss(w):
    return jnp.sum((w - 1.0) ** 2)


def make_step(rate):
    optimizer = optax.sgd(rate)

    @jax.jit
    def step(w, state):
        updates, state = optimizer.update(jax.grad(loss)(w), state)
        return optax.apply_updates(w, updates), state

    return step, optimizer.init


def tune(rates):
    best, best_rate = float("inf"), None
    step, init = make_step(rates[0])
    w = jnp.zeros(2)
    state = init(w)
    for rate in rates:
        w, state = step(w, state)
        value = float(loss(w))
        if value < best:
            best, best_rate = value, rate
        print(f"{rate}: {value:.3f}")
    return best_rate


if __name__ == "__main__":
    tune([0.1, 0.3])
