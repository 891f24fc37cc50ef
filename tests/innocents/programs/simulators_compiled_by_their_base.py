"""Looks like a fault of JIT312.

`__init_subclass__` of the base class compiles the method of that name, the scan in it included.
"""

import functools

import jax
import jax.numpy as jnp


class Simulator:
    """A subclass defines `paths(self, key, spot)`; it is compiled for the sake of the user."""

    steps = 32

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "paths" in vars(cls):
            cls.paths = jax.jit(cls.paths, static_argnums=0)

    def price(self, payoff, spots, draws=256):
        prices = []
        for number, spot in enumerate(spots):
            key = jax.random.key(number)
            paths = self.paths(jax.random.split(key, draws), spot)
            prices.append(float(jnp.mean(payoff(paths))))
        return prices


class BlackScholes(Simulator):
    def __init__(self, volatility):
        self.volatility = volatility

    def paths(self, keys, spot):
        dt = 1.0 / self.steps
        noise = jax.vmap(lambda key: jax.random.normal(key, (self.steps,)))(keys)

        def advance(price, shock):
            growth = self.volatility * jnp.sqrt(dt) * shock - 0.5 * self.volatility**2 * dt
            price = price * jnp.exp(growth)
            return price, price

        start = jnp.full(len(keys), spot)
        return jax.lax.scan(advance, start, noise.T)[1]


def call(strike):
    return lambda paths: jnp.maximum(paths[-1] - strike, 0.0)


if __name__ == "__main__":
    model = BlackScholes(0.2)
    prices = model.price(call(100.0), [80.0, 100.0, 120.0, 140.0])
    assert prices == sorted(prices) and 4.0 < prices[1] < 12.0, prices
    assert BlackScholes.paths._cache_size() == 1
