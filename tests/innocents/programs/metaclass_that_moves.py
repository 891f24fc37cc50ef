"""Innocent, though it looks like JIT106.

What makes it right: metaclass.
"""

import jax
import jax.numpy as jnp
import numpy as np


class OnDevice(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        for name, value in vars(made).items():
            if isinstance(value, np.ndarray):
                made.__dict__[name] = jnp.asarray(value)
        return made


class Spline(metaclass=OnDevice):
    def __init__(self, knots):
        self.knots = np.sort(knots)


spline = Spline([3.0, 1.0, 2.0])


@jax.jit
def knot(i):
    return spline.knots[i]


print(knot(jnp.int32(0)))
