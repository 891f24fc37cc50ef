"""Keys from constants that something varies, or outside of a trace."""

from functools import partial

import jax


@jax.jit
def step_noise(x, step):
    key = jax.random.fold_in(jax.random.key(0), step)
    return x + jax.random.normal(key, x.shape)


@jax.jit
def seeded(seed, x):
    return x + jax.random.normal(jax.random.key(seed), x.shape)


@partial(jax.jit, static_argnames="seed")
def repeatable(x, seed=0):
    return jax.random.permutation(jax.random.key(seed), x)


@jax.jit
def walk(x, key):
    def body(carry, _):
        x, key = carry
        key, use = jax.random.split(key)
        return (x + jax.random.normal(use, x.shape), key), None

    return jax.lax.scan(body, (x, key), None, length=3)[0][0]


def fixed_data(rows):
    """The same data in every run of the program, on purpose, and not traced."""
    first, second = jax.random.split(jax.random.key(17))
    return jax.random.normal(first, (rows, 2)), jax.random.bernoulli(second, 0.5, (rows,))


@jax.jit
def rows_apart(rows):
    base = jax.random.key(1)
    keys = jax.vmap(lambda i: jax.random.fold_in(base, i))(rows[:, 0].astype(int))
    return jax.vmap(lambda key, row: row + jax.random.normal(key, row.shape))(keys, rows)


def main():
    x, _ = fixed_data(4)
    noisy = [step_noise(x, step) for step in range(2)]
    return noisy, seeded(1, x), seeded(2, x), repeatable(x, seed=3), rows_apart(x), walk(x, jax.random.key(2))
