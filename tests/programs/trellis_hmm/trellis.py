"""Hidden Markov models: filtering, Viterbi paths and posterior reports."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

WEATHER = ("rain", "sun", "fog")


class Model(NamedTuple):
    log_start: jax.Array
    log_move: jax.Array
    log_emit: jax.Array

    @property
    def states(self):
        return self.log_start.shape[0]

    @classmethod
    def uniform(cls, states, symbols):
        rows = np.full((states, states), 1.0 / states)
        emit = np.linspace(1.0, 2.0, states * symbols).reshape(states, symbols)
        emit = emit / emit.sum(1, keepdims=True)
        return cls(*map(jnp.log, (jnp.asarray(rows[0]), jnp.asarray(rows), jnp.asarray(emit))))


def forward(model, symbols):
    def step(alpha, symbol):
        alpha = jax.nn.logsumexp(alpha[:, None] + model.log_move, axis=0)
        alpha = alpha + model.log_emit[:, symbol]
        return alpha, alpha

    first = model.log_start + model.log_emit[:, symbols[0]]
    last, _ = jax.lax.scan(step, first, symbols[1:])
    return jax.nn.logsumexp(last)


def viterbi(model, symbols):
    def step(score, symbol):
        options = score[:, None] + model.log_move
        return options.max(0) + model.log_emit[:, symbol], options.argmax(0)

    score, back = jax.lax.scan(step, model.log_start, symbols)

    def trace(state, pointers):
        previous = pointers[state]
        return previous, state

    _, path = jax.lax.scan(trace, score.argmax(), back, reverse=True)
    return path


decode = jax.jit(viterbi)


@jax.jit
def forecast(model, symbols):
    """The name of the likeliest last state."""
    path = viterbi(model, symbols)
    return WEATHER[path[-1]], path  # expect: JIT107 @name


@functools.lru_cache(maxsize=None)
def dwell_penalty(state):
    return 0.1 * (state + 1)


def penalised_score(model, path):
    total = model.log_start[path[0]]
    for state in path[1:]:
        total = total - dwell_penalty(state)  # expect: JIT111 @dwell
    return total


score_path = jax.jit(penalised_score)


@jax.jit
def penalties(model: Model):
    return jnp.array([dwell_penalty(state) for state in range(model.states)])


@jax.jit
def missing_symbols(model, symbols):
    used = {symbol for symbol in symbols}  # expect: JIT111 @used
    return model.log_emit.shape[1] - len(used)


@jax.jit
def emissions(model, symbols, smoothing=None):
    counts = jnp.zeros_like(model.log_emit)
    for number, symbol in enumerate(symbols):
        counts = counts.at[:, symbol].add(1.0)
        if smoothing is not None and number == 0:
            counts = counts + smoothing
    return jnp.log(counts + 1e-6)


@jax.jit
def posterior(model, symbols):
    evidence = forward(model, symbols)
    if not jnp.isfinite(evidence):  # expect: JIT101 @finite
        raise FloatingPointError("impossible observations")
    return jnp.exp(model.log_start - evidence)


@jax.jit
def transition_counts(path, length):
    pairs = path[:-1] * 3 + path[1:]
    return jnp.bincount(pairs, length=length)  # expect: JIT108 @pairs


@functools.partial(jax.jit, static_argnames=("length",))
def transition_table(path, length):
    return jnp.bincount(path[:-1] * 3 + path[1:], length=length)


def report(model, symbols):
    """Readable names and numbers, after everything has run."""
    path = decode(model, symbols)
    names = [WEATHER[state] for state in path.tolist()]
    runs = {name: names.count(name) for name in set(names)}
    if float(forward(model, symbols)) < -1e6:
        names = []
    return names, max(runs.items(), key=lambda item: item[1])


def main():
    model = Model.uniform(3, 4)
    symbols = jnp.array([0, 3, 1, 2])
    print(report(model, symbols), penalties(model), emissions(model, symbols))
    path = decode(model, symbols)
    print(transition_table(path, length=9), transition_counts(path, 9))
    print(forecast(model, symbols), score_path(model, path))
    print(missing_symbols(model, symbols), posterior(model, symbols))


if __name__ == "__main__":
    main()
