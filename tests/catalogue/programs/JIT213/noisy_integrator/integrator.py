"""Langevin dynamics; the noise of all steps is the same."""

import jax


@jax.jit
def simulate(x):
    def body(step, x):
        key = jax.random.key(0)  # expect: JIT213 @body
        return 0.9 * x + 0.1 * jax.random.normal(key, x.shape)

    return jax.lax.fori_loop(0, 3, body, x)


@jax.jit
@jax.vmap
def corrupt(row):
    """Every row gets the same noise, in every call."""
    key = jax.random.fold_in(jax.random.key(3), 5)  # expect: JIT213 @rows
    return row + jax.random.normal(key, row.shape)
