"""Exponential moving averages of parameters next to an optax optimiser."""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp
import optax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Ema:
    average: dict
    count: jax.Array
    decay: float = dataclasses.field(metadata={"static": True}, default=0.99)
    debias: bool = dataclasses.field(metadata={"static": True}, default=True)


def init_ema(params, decay=0.99, debias=True):
    if not 0.0 < decay < 1.0:
        raise ValueError(decay)
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Ema(zeros, jnp.zeros((), jnp.int32), decay, debias)


def advance(ema: Ema, params) -> Ema:
    decay = ema.decay if ema.decay < 0.999 else 0.999
    average = jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, ema.average, params)
    return dataclasses.replace(ema, average=average, count=ema.count + 1)


def read(ema: Ema):
    if not ema.debias:
        return ema.average
    if ema.count == 0:  # expect: JIT101 @count
        return ema.average
    return jax.tree.map(lambda a: a / (1 - ema.decay**ema.count), ema.average)


def read_safe(ema: Ema):
    scale = jnp.maximum(1 - ema.decay**ema.count, 1e-8) if ema.debias else 1.0
    return jax.tree.map(lambda a: a / scale, ema.average)


def clip_by_norm(grads, limit):
    """Scale the gradients down when their norm is above the limit."""
    norm = optax.global_norm(grads)
    factor = min(1.0, limit / norm)  # expect: JIT110 @clip
    return jax.tree.map(lambda g: g * factor, grads)


def scale_leaf(grad, limit):
    norm = jnp.linalg.norm(grad)
    while norm > limit:  # expect: JIT102 @halve
        grad = grad * 0.5
        norm = norm * 0.5
    return grad


def centralise(grad):
    """Subtract the mean of each column from matrices; leave the rest."""
    if grad.ndim < 2:
        return grad
    axes = tuple(range(grad.ndim - 1))
    return grad - grad.mean(axis=axes, keepdims=True)


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
