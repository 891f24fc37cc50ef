"""Next-note prediction with a Haiku GRU."""

import logging
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp
import optax

NOTES = 12
ACTIVATIONS = {}
UPDATES = 0
LAST_LOSS = Path("melody_last_loss.txt")
logger = logging.getLogger("melody")


class State(NamedTuple):
    """What training carries."""

    params: hk.Params
    opt_state: optax.OptState
    rng: jax.Array


class NoteEmbedding(hk.Module):
    """A table of notes; the module lives for one forward pass only."""

    def __init__(self, width, name=None):
        super().__init__(name=name)
        self.width = width
        self.uses = 0

    def __call__(self, notes):
        self.uses += 1
        table = hk.get_parameter("table", [NOTES, self.width], init=hk.initializers.RandomNormal())
        return table[notes]


class Melody(hk.Module):
    """Embedding, GRU and readout."""

    def __init__(self, width=8, name=None):
        super().__init__(name=name)
        self.embed = NoteEmbedding(width)
        self.core = hk.GRU(width)
        self.readout = hk.Linear(NOTES)

    def __call__(self, notes, train):
        hidden = self.embed(notes)
        if train:
            hidden = hk.dropout(hk.next_rng_key(), 0.1, hidden)
        out, _ = hk.dynamic_unroll(self.core, hidden, self.core.initial_state(notes.shape[1]))
        self._keep(out)
        return self.readout(out)

    def _keep(self, out):
        ACTIVATIONS["gru"] = out  # expect: JIT202 @activations


def forward(notes, train=True):
    """Scores of the next note."""
    return Melody()(notes, train)


network = hk.transform(forward)
tx = optax.adam(1e-2)


def recency_weights(length):
    """Later notes count for more, the more so in the evening."""
    hour = datetime.now().hour  # expect: JIT207 @clock
    return jnp.linspace(1.0, 1.0 + hour / 24, length)


def loss_fn(params, rng, notes):
    scores = network.apply(params, rng, notes[:-1])
    losses = optax.softmax_cross_entropy_with_integer_labels(scores, notes[1:])
    weights = recency_weights(losses.shape[0])
    return jnp.mean(losses * weights[:, None])


def publish(loss):
    """Leave the newest loss where the dashboard reads it."""
    LAST_LOSS.write_text(str(loss))  # expect: JIT206 @file


@jax.jit
def update(state, notes):
    """One step of Adam."""
    global UPDATES
    rng, step_rng = jax.random.split(state.rng)
    loss, grads = jax.value_and_grad(loss_fn)(state.params, step_rng, notes)
    updates, opt_state = tx.update(grads, state.opt_state)
    UPDATES += 1  # expect: JIT203 @updates
    publish(loss)
    return State(optax.apply_updates(state.params, updates), opt_state, rng), loss


def initial(rng, notes):
    """Untrained state."""
    rng, init_rng = jax.random.split(rng)
    params = network.init(init_rng, notes[:-1])
    return State(params, tx.init(params), rng)


def main():
    notes = jax.random.randint(jax.random.key(1), (9, 4), 0, NOTES)
    state = initial(jax.random.key(0), notes)
    evaluate = jax.jit(network.apply, static_argnames="train")
    for number in range(5):
        state, loss = update(state, notes)
        logger.info("update %d: %.3f", number, loss)
    print(evaluate(state.params, state.rng, notes[:-1], train=False).shape)


if __name__ == "__main__":
    main()
