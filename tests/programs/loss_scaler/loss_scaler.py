"""Mixed precision training with a dynamic loss scale; the trainer is a static argument."""

from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class ScaleState(NamedTuple):
    scale: jax.Array
    good_steps: jax.Array


@dataclass(frozen=True)
class LossScale:
    """Doubles after a number of good steps, halves after a bad one."""

    start: float = 2.0**8
    patience: int = 3

    def init(self):
        return ScaleState(jnp.float32(self.start), jnp.zeros((), jnp.int32))

    def adjust(self, state, finite):
        good = jnp.where(finite, state.good_steps + 1, 0)
        grow = good >= self.patience
        scale = jnp.where(finite, jnp.where(grow, state.scale * 2, state.scale), state.scale / 2)
        return ScaleState(scale, jnp.where(grow, 0, good))


@dataclass(frozen=True)
class Trainer:
    """Hashable, so ``self`` may be static."""

    rate: float
    scaling: LossScale = field(default_factory=LossScale)
    clip: tuple = (-1.0, 1.0)

    @property
    def optimizer(self):
        return optax.chain(optax.clip(self.clip[1]), optax.sgd(self.rate))

    def init(self, width):
        params = {"w": jnp.zeros(width), "b": jnp.zeros(())}
        return params, self.optimizer.init(params), self.scaling.init()

    def loss(self, params, batch):
        half = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
        xs, ys = batch
        predicted = (xs.astype(jnp.bfloat16) @ half["w"] + half["b"]).astype(jnp.float32)
        return jnp.mean((predicted - ys) ** 2)

    @partial(jax.jit, static_argnums=0)
    def step(self, params, opt_state, scale_state, batch):
        """One update that is skipped when a gradient is not finite."""
        grads = jax.grad(lambda p: self.loss(p, batch) * scale_state.scale)(params)
        grads = jax.tree.map(lambda g: g / scale_state.scale, grads)
        checks = []
        jax.tree.map(lambda g: checks.append(jnp.all(jnp.isfinite(g))), grads)
        finite = jnp.all(jnp.stack(checks))
        updates, new_state = self.optimizer.update(grads, opt_state, params)

        def take():
            return optax.apply_updates(params, updates), new_state

        def skip():
            return params, opt_state

        params, opt_state = jax.lax.cond(finite, take, skip)
        return params, opt_state, self.scaling.adjust(scale_state, finite)


class Run:
    """Host state around the trainer."""

    def __init__(self, trainer, width):
        self.trainer = trainer
        self.params, self.opt_state, self.scale = trainer.init(width)
        self.scales = []

    def feed(self, batch):
        self.params, self.opt_state, self.scale = self.trainer.step(
            self.params, self.opt_state, self.scale, batch
        )
        self.scales.append(float(self.scale.scale))


def main():
    xs = jnp.eye(4)
    run = Run(Trainer(rate=0.2), 4)
    for number in range(6):
        run.feed((xs * (jnp.inf if number == 2 else 1.0), jnp.arange(4.0)))
    print(run.scales, run.params)


if __name__ == "__main__":
    main()
