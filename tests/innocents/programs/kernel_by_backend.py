"""Innocent, though it looks like JIT105.

What makes it right: the backend's name.
"""

import jax
import jax.numpy as jnp
import numpy as np


def host_sort(x):
    return jnp.asarray(np.sort(np.asarray(x)))


def device_sort(x):
    return jnp.sort(x)


SORTS = {"cpu": device_sort, "gpu": device_sort, "interpreter": host_sort}
sort = SORTS.get(jax.default_backend(), host_sort)


@jax.jit
def median(x):
    return sort(x)[x.shape[0] // 2]


print(median(jnp.array([3.0, 1.0, 2.0])), host_sort(jnp.ones(2)))
