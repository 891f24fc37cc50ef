"""Exercises: the same functions, eagerly."""

import jax.numpy as jnp

from glacier.flow import melt


def yearly(start, rates):
    ice = start
    for rate in rates:
        ice = melt(ice, rate)
        if ice < 0.1:
            return 0.0
    return ice


def profile(rates=(0.1, 0.2)):
    return [melt(jnp.ones(2), rate) for rate in rates]


if __name__ == "__main__":
    print(yearly(1.0, [0.1, 0.2, 2.0]), profile())
