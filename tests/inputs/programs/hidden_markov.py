"""Forward algorithm of a hidden Markov model."""

import jax
import jax.numpy as jnp


def forward(params, symbols):
    initial = params["start"] * params["emit"][:, symbols[0]]

    def advance(alpha, symbol):
        alpha = (alpha @ params["trans"]) * params["emit"][:, symbol]
        total = alpha.sum()
        if total == 0:  # expect: JIT101 @impossible
            total = 1e-30
        return alpha / total, jnp.log(total)

    alpha, logs = jax.lax.scan(advance, initial, symbols[1:])
    return logs.sum() + jnp.log(alpha.sum())


batched = jax.vmap(forward, in_axes=(None, 0))


@jax.jit
def score(params, sequences):
    found = batched(params, sequences)
    best = int(found.argmax())  # expect: JIT105 @best
    return found, best
