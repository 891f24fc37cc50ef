"""Innocent, though it looks like JIT305.

What makes it right: __signature__.
"""

import functools
import inspect

import jax
import jax.numpy as jnp


def verbose(function):
    @functools.wraps(function)
    def wrapper(*args, log=False, **kwargs):
        result = function(*args, **kwargs)
        return result

    signature = inspect.signature(function)
    log = inspect.Parameter("log", inspect.Parameter.KEYWORD_ONLY, default=False)
    wrapper.__signature__ = signature.replace(parameters=[*signature.parameters.values(), log])
    return wrapper


@verbose
def update(params, grads):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


update = jax.jit(update, static_argnames=("log",))
print(update(jnp.ones(2), jnp.ones(2), log=True))
