"""Donated values that nobody else holds."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def smooth(image):
    return 0.5 * (image + jnp.roll(image, 1, 0))


@partial(jax.jit, donate_argnames=("carry",))
def advance(carry, x):
    return {"sum": carry["sum"] + x, "last": carry["last"] * 0 + x}


class Buffer:
    def __init__(self):
        self.rows = jnp.zeros((3, 2))
        self.write = jax.jit(lambda rows, x: rows.at[0].set(x), donate_argnums=0)

    def push(self, x):
        self.rows, newest = self.write(self.rows, x), x
        return newest


def temporary(x):
    y = smooth(x + 1.0)
    z = smooth(jnp.copy(x))
    return x + y + z


def in_turn(xs):
    carry = {"sum": jnp.zeros(()), "last": jnp.zeros(())}
    totals = []
    for x in xs:
        carry = advance(carry=carry, x=x)
        totals.append(carry["sum"] * 1.0)
    return carry, totals


def either(image, again):
    if again:
        result = smooth(image)
    else:
        result = image * 2
    return result


def deleted(x):
    image = x * 2
    result = smooth(image)
    del image
    image = result
    return image.sum()


def main():
    x = jnp.ones((2, 2))
    buffer = Buffer()
    pushed = [buffer.push(jnp.full(2, float(k))) for k in range(2)]
    return temporary(x), in_turn([1.0, 2.0]), either(x * 1, True), deleted(x), pushed, buffer.rows
