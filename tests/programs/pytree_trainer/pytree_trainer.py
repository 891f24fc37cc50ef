"""Trainers that are pytrees, so that their methods can be compiled."""

import copy
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import struct


@jax.tree_util.register_pytree_node_class
class Momentum:
    """Parameters and velocity; the rate is part of the structure."""

    def __init__(self, params, velocity=None, rate=0.1):
        self.params = params
        self.velocity = jax.tree.map(jnp.zeros_like, params) if velocity is None else velocity
        self.rate = rate

    def tree_flatten(self):
        return (self.params, self.velocity), self.rate

    @classmethod
    def tree_unflatten(cls, rate, children):
        fresh = object.__new__(cls)
        fresh.params, fresh.velocity = children
        fresh.rate = rate
        return fresh

    @jax.jit
    def step(self, grads):
        """The trainer after one step; works on a copy."""
        after = copy.copy(self)
        after.velocity = jax.tree.map(lambda v, g: 0.9 * v + g, self.velocity, grads)
        after.params = jax.tree.map(lambda p, v: p - self.rate * v, self.params, after.velocity)
        return after


@struct.dataclass
class Averaged:
    """An exponential average of parameters."""

    params: dict
    decay: float = struct.field(pytree_node=False, default=0.9)

    @jax.jit
    def update(self, params):
        mixed = jax.tree.map(lambda a, p: self.decay * a + (1 - self.decay) * p, self.params, params)
        return self.replace(params=mixed)


class Line(eqx.Module):
    """A line with a fixed kind of loss."""

    slope: jax.Array
    offset: jax.Array
    robust: bool = eqx.field(static=True, default=False)

    @eqx.filter_jit
    def loss(self, xs, ys):
        error = self.slope * xs + self.offset - ys
        return jnp.abs(error).mean() if self.robust else jnp.square(error).mean()

    @jax.jit
    def predict(self, xs):
        return self.slope * xs + self.offset


class Bounds(NamedTuple):
    low: jax.Array
    high: jax.Array

    @jax.jit
    def project(self, params):
        return jax.tree.map(lambda p: jnp.clip(p, self.low, self.high), params)


@eqx.filter_jit
def fit_line(line, xs, ys, bounds):
    """One projected gradient step; the history is a list made here."""
    history = []
    for _ in range(2):
        value, grads = eqx.filter_value_and_grad(lambda m: m.loss(xs, ys))(line)
        history.append(value)
        line = bounds.project(eqx.apply_updates(line, jax.tree.map(lambda g: -0.1 * g, grads)))
    return line, jnp.stack(history)


def main():
    xs = jnp.linspace(-1, 1, 7)
    trainer = Momentum({"w": jnp.ones(3)})
    average = Averaged({"w": jnp.ones(3)})
    for _ in range(3):
        trainer = trainer.step(jax.tree.map(lambda p: 2 * p, trainer.params))
        average = average.update(trainer.params)
    print(trainer.params, average.params)
    bounds = Bounds(jnp.float32(-3), jnp.float32(3))
    line, history = fit_line(Line(jnp.zeros(()), jnp.zeros(())), xs, 2 * xs + 1, bounds)
    print(line.predict(xs), history)


if __name__ == "__main__":
    main()
