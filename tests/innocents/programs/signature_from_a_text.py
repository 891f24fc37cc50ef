"""Looks like a fault of JIT101.

A decorator sets the signature that jit looks up static names in.
"""

import functools
import inspect

import jax
import jax.numpy as jnp
import numpy as np


def promoting(fn):
    @functools.wraps(fn)
    def inner(x, *rest):
        return fn(jnp.asarray(x, jnp.float32), *rest)

    return inner


def with_signature(text):
    def decorate(fn):
        scope = {}
        exec(f"def stub({text}): ...", scope)
        fn.__signature__ = inspect.signature(scope["stub"])
        return fn

    return decorate


@functools.partial(jax.jit, static_argnames=("axis", "keep"))
@promoting
def logmeanexp(x, axis, keep):
    if keep and axis < 0:
        axis = axis + x.ndim
    out = jax.nn.logsumexp(x, axis=axis, keepdims=keep)
    return out - jnp.log(x.shape[axis])


@with_signature("x, order, base")
def power_mean(*args):
    x, order, base = args
    if order == 0:
        return jnp.exp(jnp.log(x).mean()) * base
    return (x**order).mean() ** (1 / order) * base


fast_power_mean = jax.jit(power_mean, static_argnames=["order"])

if __name__ == "__main__":
    x = np.zeros((2, 3))
    assert logmeanexp(x, -1, True).shape == (2, 1)
    np.testing.assert_allclose(logmeanexp(x, 0, False), 0.0, atol=1e-6)
    y = jnp.array([1.0, 4.0])
    np.testing.assert_allclose(fast_power_mean(y, 0, 2.0), 4.0, rtol=1e-6)
    np.testing.assert_allclose(fast_power_mean(y, 1, 3.0), 7.5, rtol=1e-6)
    assert fast_power_mean._cache_size() == 2
