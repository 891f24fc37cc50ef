"""Large weights that live in pytrees, or are only used on the host or under grad."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.random.default_rng(0).normal(size=(1200, 1000)).astype(np.float32)


class Embedding(eqx.Module):
    table: jax.Array

    def __call__(self, tokens):
        return self.table[tokens].mean(0)


model = Embedding(jnp.asarray(TABLE))
embed = eqx.filter_jit(lambda model, tokens: model(tokens))


@jax.jit
def scaled(rows):
    return rows / TABLE.shape[0]


def slope(w):
    """Not compiled as a whole: the table is an operand like any other."""
    return jax.grad(lambda w: jnp.sum(jnp.asarray(TABLE) @ w))(w)


def main(tokens=(1, 2)):
    tokens = np.array(tokens)
    return embed(model, tokens), scaled(TABLE[tokens]), slope(jnp.ones(1000))
