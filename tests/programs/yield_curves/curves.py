"""Yield curves: interpolation, bootstrapping and smooth custom derivatives."""

import bisect
import math
from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

TENORS = [0.5, 1.0, 2.0, 5.0, 10.0]
CONVENTIONS = {"annual": 1, "semiannual": 2}


@jax.custom_jvp
def soft_floor(rate):
    return jnp.maximum(rate, 0.0)


@soft_floor.defjvp
def soft_floor_jvp(primals, tangents):
    (rate,), (change,) = primals, tangents
    return soft_floor(rate), jax.nn.sigmoid(100.0 * rate) * change


@jax.custom_jvp
def kinked(rate):
    return jnp.abs(rate)


@kinked.defjvp
def kinked_jvp(primals, tangents):
    rate, change = *primals, *tangents
    if change == 0.0:  # expect: JIT101 @tangent
        return kinked(rate), jnp.zeros_like(rate)
    return kinked(rate), jnp.sign(rate) * change


@partial(jax.jit, static_argnames=("convention",))
def present_value(rates, coupon, *, convention="annual"):
    count = CONVENTIONS[convention]
    total = 0.0
    for tenor, rate in zip(TENORS, rates):
        if tenor * count < 1:
            continue
        total += coupon / count * jnp.exp(-soft_floor(rate) * tenor)
    return total


def interpolate(rates, maturity):
    """Linear between the tenors, flat outside."""
    right = bisect.bisect(TENORS, maturity)  # expect: JIT110 @bisect
    if right in (0, len(TENORS)):
        return rates[min(right, len(TENORS) - 1)]
    weight = (maturity - TENORS[right - 1]) / (TENORS[right] - TENORS[right - 1])
    return (1 - weight) * rates[right - 1] + weight * rates[right]


@partial(jax.jit, static_argnames="maturity")
def fixed_forward(rates, maturity):
    return interpolate(rates, maturity)


def interpolate_many(rates, maturities):
    return jax.vmap(interpolate, in_axes=(None, 0))(rates, maturities)


@dataclass
class Bootstrap:
    """Finds rates that price the quotes; iterates inside one compiled loop."""

    tolerance: float = 1e-6
    log: list = field(default_factory=list)

    def solve(self, quotes, guess):
        def unfinished(state):
            rates, turn = state
            gap = self.gap(quotes, rates)
            return math.isfinite(gap) and turn < 10  # expect: JIT105 @gap

        return jax.lax.while_loop(unfinished, self.improve(quotes), (guess, 0))[0]

    def solve_fixed(self, quotes, guess, turns=10):
        improve = self.improve(quotes)
        rates, _ = jax.lax.fori_loop(0, turns, lambda _, state: improve(state), (guess, 0))
        self.log.append(float(self.gap(quotes, rates)))
        return rates if math.isfinite(self.log[-1]) else guess

    def improve(self, quotes):
        def turn(state):
            rates, count = state
            price = jnp.exp(-rates * np.array(TENORS))
            return rates + (price - quotes) / np.array(TENORS), count + 1

        return turn

    def gap(self, quotes, rates):
        return jnp.abs(jnp.exp(-rates * np.array(TENORS)) - quotes).max()


@jax.jit
def compound(rate, times):
    if isinstance(times, int):  # expect: JIT112 @times
        return (1.0 + rate / times) ** times
    return jnp.exp(rate)


@jax.jit
def matches(rates, quoted):
    same = np.array_equal(rates, quoted)  # expect: JIT106 @same
    return rates - quoted if not same else jnp.zeros_like(rates)


def robust_discount(rate, tenor):
    try:  # expect: JIT113 @robust
        if rate < 0:
            return 1.0
        return jnp.exp(-rate * tenor)
    except TypeError:
        return jnp.zeros_like(rate)


discount_all = jax.jit(jax.vmap(robust_discount))


kinked_slope = jax.jit(jax.grad(kinked))


def main():
    rates = jnp.array([0.01, 0.012, 0.02, 0.025, 0.03])
    quotes = jnp.exp(-rates * np.array(TENORS))
    print(jax.grad(present_value)(rates, 0.05), present_value(rates, 0.05, convention="semiannual"))
    print(Bootstrap().solve_fixed(quotes, 0.5 * rates), interpolate(rates, 3.0))
    print(fixed_forward(rates, 3.0), interpolate_many(rates, jnp.array([1.0, 3.0])))
    print(kinked_slope(rates[0]), Bootstrap().solve(quotes, rates), compound(0.05, 2))
    print(matches(rates, rates), discount_all(rates, jnp.array(TENORS)))


if __name__ == "__main__":
    main()
