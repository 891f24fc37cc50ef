"""Looks like a fault of JIT107.

A decorator fills in, before it compiles, the parameters that have the name of a setting.
"""

import functools
import inspect
import tomllib

import jax
import jax.numpy as jnp

SETTINGS = tomllib.loads("""
beam_width = 2
horizon = 3
""")


def compiled(fn):
    names = inspect.signature(fn).parameters
    injected = {name: value for name, value in SETTINGS.items() if name in names}
    return jax.jit(functools.partial(fn, **injected))


@compiled
def best_beams(scores, beam_width):
    return jnp.sort(scores)[::-1][:beam_width]


@compiled
def truncated_return(rewards, discount, horizon):
    total = jnp.zeros(())
    for t in reversed(range(horizon)):
        total = rewards[t] + discount * total
    return total


def summarise(scores, rewards):
    return {
        "beams": best_beams(scores).tolist(),
        "return": float(truncated_return(rewards, 0.5)),
    }


if __name__ == "__main__":
    summary = summarise(jnp.array([0.25, 0.5, 0.75]), jnp.array([1.0, 2.0, 4.0, 8.0]))
    assert summary == {"beams": [0.75, 0.5], "return": 3.0}, summary
    summarise(jnp.zeros(3), jnp.zeros(4))
    assert best_beams._cache_size() == 1 and truncated_return._cache_size() == 1
