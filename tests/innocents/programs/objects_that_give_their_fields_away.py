"""Looks like a fault of JIT310.

Each turn gives away the field of another object of a list.
"""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def smooth(field, weight):
    return (1 - weight) * field + weight * jnp.roll(field, 1)


class Box:
    def __init__(self, number):
        self.number = number
        self.field = jnp.sin(jnp.arange(8.0) * number)

    def smoothed(self, weight):
        return smooth(self.field, weight)


def all_smoothed(count, weight):
    boxes = [Box(number) for number in range(count)]
    by_number = {box.number: box for box in boxes}
    found = []
    for number in range(count):
        found.append(by_number[number].smoothed(weight))
    others = [Box(number) for number in range(count)]
    for box in others:
        found.append(smooth(box.field, weight))
    return jnp.stack(found)


if __name__ == "__main__":
    result = all_smoothed(3, 0.25)
    assert result.shape == (6, 8)
    assert jnp.allclose(result[:3], result[3:])
