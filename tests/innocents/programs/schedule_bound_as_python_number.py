"""Looks like a fault of JIT112.

Python numbers are bound by the compiling helper, so that `isinstance` sees what the caller passed.
"""
import functools

import jax
import jax.numpy as jnp

PROGRAMS = {}


def call(fn, *args):
    """Compile `fn` for its arrays; numbers and functions are part of the program."""
    arrays = {i: a for i, a in enumerate(args) if isinstance(a, jax.Array)}
    others = tuple((i, type(a), a) for i, a in enumerate(args) if i not in arrays)
    if (fn, others) not in PROGRAMS:
        def run(arrays):
            merged = {**arrays, **{i: a for i, _, a in others}}
            return fn(*(merged[i] for i in sorted(merged)))
        PROGRAMS[fn, others] = jax.jit(run)
    return PROGRAMS[fn, others](arrays)


def decayed(params, step, rate):
    if isinstance(rate, float):
        return params * (1.0 - rate)
    return params * (1.0 - rate(step))


update = functools.partial(call, decayed)


def halving(step):
    return 0.5 ** (step + 1)


if __name__ == "__main__":
    params = jnp.ones(2)
    for step in range(4):
        assert jnp.allclose(update(params, jnp.float32(step), 0.25), 0.75)
        assert jnp.allclose(update(params, jnp.float32(step), halving), 1 - 0.5 ** (step + 1))
    assert len(PROGRAMS) == 2
    assert all(program._cache_size() == 1 for program in PROGRAMS.values())
