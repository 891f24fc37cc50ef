"""Rollouts whose noise comes from a sequence of keys."""

import haiku as hk
import jax
import jax.numpy as jnp

rng = hk.PRNGSequence(0)
schedule = iter([1.0, 0.5, 0.25, 0.125])


@jax.jit
def act(logits):
    return jax.random.categorical(next(rng), logits)  # expect: JIT210 @rng


def actions(count=16):
    return [act(jnp.zeros(50)) for _ in range(count)]


class Explorer:
    def __init__(self):
        self.scales = iter([1.0, 0.5, 0.25])
        self.perturb = jax.jit(self._perturb)

    def _perturb(self, x):
        return x * next(self.scales, 0.1)  # expect: JIT210 @scales


def scaled():
    explorer = Explorer()
    return [explorer.perturb(1.0) for _ in range(3)]
