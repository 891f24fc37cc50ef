"""Beam search over a bigram table."""

import jax
import jax.numpy as jnp

BEAM = 3
END = 0


def extend(table, scores, last):
    total = scores[:, None] + table[last]
    flat, index = jax.lax.top_k(total.reshape(-1), BEAM)
    return flat, index // table.shape[1], index % table.shape[1]


@jax.jit
def decode(table, start):
    scores = jnp.array([0.0] + [-jnp.inf] * (BEAM - 1))
    last = jnp.full((BEAM,), start)
    history = [last]
    for _ in range(5):
        scores, parent, last = extend(table, scores, last)
        history = [h[parent] for h in history] + [last]
        if jnp.all(last == END):  # expect: JIT101 @finished
            break
    return jnp.stack(history, axis=1), scores
