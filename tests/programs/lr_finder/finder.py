"""Learning-rate range test: raise the rate until the loss blows up."""

import math

import jax
import jax.numpy as jnp
from jax import lax

from curves import Curve


def quadratic(weights, sample):
    return jnp.sum((weights - sample) ** 2)


def descend(weights, sample, rate):
    loss, grad = jax.value_and_grad(quadratic)(weights, sample)
    return weights - rate * grad, loss


class RangeTest:
    def __init__(self, low=1e-3, high=10.0, points=12):
        if not 0 < low < high:
            raise ValueError("rates must rise")
        self.low, self.high, self.points = low, high, points
        self.ratio = (high / low) ** (1 / (points - 1))

    def rates(self):
        return [self.low * self.ratio**i for i in range(self.points)]

    def on_host(self, weights, sample):
        """One compiled step at a time, with the decision in Python."""
        step, curve, best = jax.jit(descend), Curve(), math.inf
        for rate in self.rates():
            weights, loss = step(weights, sample, rate)
            value = float(loss)
            if math.isnan(value) or value > 4 * best:
                break
            best = min(best, value)
            curve.add(rate, value)
        return curve

    def _scan(self, body, weights):
        rates = jnp.asarray(self.rates())
        return lax.scan(body, (weights, jnp.asarray(jnp.inf)), rates)

    def on_device(self, weights, sample):
        """The whole test as one scan; a stopped test repeats its weights."""

        def body(carry, rate):
            weights, best = carry
            moved, loss = descend(weights, sample, rate)
            stop = jnp.isnan(loss) | (loss > 4 * best)
            return (jnp.where(stop, weights, moved), jnp.minimum(best, loss)), loss

        return self._scan(body, weights)[1]

    def on_device_log(self, weights, sample):
        def body(carry, rate):
            weights, best = carry
            weights, loss = descend(weights, sample, rate)
            return (weights, jnp.minimum(best, loss)), math.log10(loss)  # expect: JIT105 @log

        return self._scan(body, weights)[1]

    def on_device_strict(self, weights, sample):
        def body(carry, rate):
            weights, best = carry
            weights, loss = descend(weights, sample, rate)
            inside = 0.0 <= loss < 1e6  # expect: JIT104 @inside
            return (weights, jnp.where(inside, loss, best)), loss

        return self._scan(body, weights)[1]

    def on_device_list(self, weights, sample):
        """Keep the history as a plain list of numbers."""

        def body(carry, rate):
            weights, best = carry
            weights, loss = descend(weights, sample, rate)
            return (weights, best), loss.item()  # expect: JIT105 @item

        return self._scan(body, weights)[1]
