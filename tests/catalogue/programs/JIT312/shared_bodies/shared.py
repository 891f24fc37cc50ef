"""Bodies that are made once, live in a trace, or compile nothing of their own."""

import jax
import jax.numpy as jnp
from jax import lax


def accumulate(total, x):
    return total + x, total


def twice(x):
    return 2 * x


@jax.jit
def simulate(x, dt):
    def body(_, x):
        return x - dt * x

    return lax.fori_loop(0, 3, body, x)


def running_sums(rows):
    return [lax.scan(accumulate, 0.0, row)[1] for row in rows]


def simulated(x):
    for dt in (0.1, 0.2, 0.3):
        x = simulate(x, dt)
    return x


def made_before(rows):
    def body(best, x):
        return jnp.maximum(best, x), None

    best = jnp.zeros(())
    for row in rows:
        best, _ = lax.scan(body, best, row)
    return best


def vectorised(rows):
    for power in range(3):
        rows = jax.vmap(lambda row: row * row.sum())(rows)
    return rows


def reduced(rows):
    return [lax.associative_scan(lambda a, b: a + b, row) for row in rows]


def doubled(x):
    for flag in (True, False, True):
        x = lax.cond(flag, twice, jnp.negative, x)
    return x
