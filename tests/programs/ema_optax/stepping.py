"""Training with averaged parameters."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax

from averaging import advance, init_ema, read, read_safe
from clipping import centralise, clip_by_norm, scale_leaf


class Stepper:
    """Binds a loss, an optimiser and a clipping style."""

    def __init__(self, loss_fn, optimiser, style="none", limit=1.0):
        self.loss_fn = loss_fn
        self.optimiser = optimiser
        self.style = style
        self.limit = limit
        self._compiled = jax.jit(self.apply, donate_argnums=())

    def apply(self, params, opt_state, ema, batch):
        loss, grads = jax.value_and_grad(self.loss_fn)(params, batch)
        match self.style:
            case "norm":
                grads = clip_by_norm(grads, self.limit)
            case "leaf":
                grads = jax.tree.map(lambda g: scale_leaf(g, self.limit), grads)
            case "centre":
                grads = jax.tree.map(centralise, grads)
            case _:
                grads = optax.clip_by_global_norm(self.limit).update(grads, optax.EmptyState())[0]
        updates, opt_state = self.optimiser.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        return params, opt_state, advance(ema, params), loss

    def __call__(self, *state):
        return self._compiled(*state)


def loss_fn(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["w"] + params["b"] - ys) ** 2)


@jax.jit
def evaluate(ema, batch):
    return loss_fn(read(ema), batch)


@jax.jit
def evaluate_safe(ema, batch):
    return loss_fn(read_safe(ema), batch)


def run(style="none", steps=3, debias=True):
    xs = jax.random.normal(jax.random.key(0), (8, 2))
    batch = (xs, xs @ jnp.ones((2, 1)))
    params = {"w": jnp.zeros((2, 1)), "b": jnp.zeros(1)}
    optimiser = optax.chain(optax.scale_by_adam(), optax.scale(-0.1))
    state = (params, optimiser.init(params), init_ema(params, debias=debias))
    stepper = Stepper(loss_fn, optimiser, style)
    for _ in range(steps):
        *state, loss = stepper(*state, batch)
        if loss < 1e-6:
            break
    return state[2], batch


if __name__ == "__main__":
    for name in ("none", "centre", "norm", "leaf"):
        ema, data = run(name)
        print(name, evaluate_safe(ema, data), read(ema), evaluate(ema, data))
