"""Loss curves and their smoothing."""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
from jax import lax


@dataclass
class Curve:
    rates: list = field(default_factory=list)
    losses: list = field(default_factory=list)

    def add(self, rate, loss):
        self.rates.append(rate)
        self.losses.append(loss)

    def steepest(self):
        drops = [a - b for a, b in zip(self.losses, self.losses[1:])]
        return self.rates[drops.index(max(drops))] if drops else None


@jax.jit
def smooth(losses, beta):
    """Exponential smoothing with bias correction."""

    def body(carry, loss):
        average, power = carry
        average, power = beta * average + (1 - beta) * loss, power * beta
        return (average, power), average / (1 - power)

    return lax.scan(body, (jnp.zeros(()), jnp.ones(())), losses)[1]


@jax.jit
def smooth_checked(losses, beta):
    assert losses.ndim == 1, "one curve at a time"
    assert 0 < beta < 1, "beta is a fraction"  # expect: JIT103 @beta
    return smooth(losses, beta)
