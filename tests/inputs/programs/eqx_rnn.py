"""A GRU of equinox that runs over a sequence."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Tagger(eqx.Module):
    cell: eqx.nn.GRUCell
    readout: eqx.nn.Linear
    hidden: int = eqx.field(static=True)

    def __call__(self, sequence):
        def advance(state, x):
            state = self.cell(x, state)
            if jnp.isnan(state).any():  # expect: JIT101 @nan
                state = jnp.zeros_like(state)
            return state, self.readout(state)

        _, out = jax.lax.scan(advance, jnp.zeros(self.hidden), sequence)
        return out


def build(inputs, hidden, tags, key):
    first, second = jax.random.split(key)
    return Tagger(
        eqx.nn.GRUCell(inputs, hidden, key=first),
        eqx.nn.Linear(hidden, tags, key=second),
        hidden,
    )


@eqx.filter_jit
def accuracy(model, sequences, tags):
    guesses = jax.vmap(model)(sequences).argmax(axis=-1)
    return jnp.mean(guesses == tags)
