"""Looks like a fault of JIT306.

The metaclass gives the object that was made before with the same arguments, so that there is no new one.
"""

import functools

import jax
import jax.numpy as jnp


class Interned(type):
    """Objects of these classes never change, so that one of each kind will do."""
    made = {}

    def __call__(cls, *args):
        if (cls, args) not in cls.made:
            cls.made[cls, args] = super().__call__(*args)
        return cls.made[cls, args]


class Huber(metaclass=Interned):
    def __init__(self, delta):
        self.delta = delta

    def __call__(self, error):
        size = jnp.abs(error)
        inside = jnp.minimum(size, self.delta)
        return jnp.mean(inside * (size - 0.5 * inside))


class Quantile(metaclass=Interned):
    def __init__(self, level):
        self.level = level

    def __call__(self, error):
        return jnp.mean(jnp.maximum(self.level * error, (self.level - 1) * error))


@functools.partial(jax.jit, static_argnames="loss")
def update(center, batch, loss):
    return center - 0.5 * jax.grad(lambda center: loss(batch - center))(center)


def robust_center(batches, steps, delta=1.0):
    center = jnp.zeros(())
    for _ in range(steps):
        for batch in batches:
            center = update(center, batch, loss=Huber(delta))
    upper = center
    for batch in batches * steps:
        upper = update(upper, batch, loss=Quantile(0.9))
    return center, upper


if __name__ == "__main__":
    batches = [jnp.array([1.0, 2.0, 3.0, 100.0]), jnp.array([2.0, 2.0, 2.0, 90.0])]
    center, upper = robust_center(batches, 30)
    assert 1.5 < center < 3.0 < upper
    assert update._cache_size() == 2
