"""Looks like a fault of JIT105.

An executor calls the function with a named tuple that has a method `item`.

What the workers get is no array: `item` looks a line of the basket up.
"""
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Basket(NamedTuple):
    spots: jax.Array
    weights: jax.Array
    vols: jax.Array

    def item(self, line=0):
        return self.spots[line], self.weights[line], self.vols[line]

    def tolist(self):
        return [self.item(line) for line in range(self.spots.shape[0])]


@jax.jit
def forward_value(basket, rate):
    spot, weight, _ = basket.item()
    total = spot * weight
    for spot, weight, vol in basket.tolist()[1:]:
        total = total + spot * weight * jnp.exp(-0.5 * vol**2)
    return total * jnp.exp(rate)


def price_book(book, rates):
    with ThreadPoolExecutor(max_workers=2) as pool:
        return [float(value) for value in pool.map(forward_value, book, rates)]


if __name__ == "__main__":
    book = [Basket(jnp.full(3, s), jnp.ones(3), jnp.zeros(3)) for s in (1.0, 2.0)]
    values = price_book(book, [0.0, 0.0])
    assert values == [3.0, 6.0], values
