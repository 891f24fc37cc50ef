"""Recommending books with a two-tower Equinox model."""

import csv
import datetime
import io

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Tower(eqx.Module):
    table: jax.Array
    layer: eqx.nn.Linear
    name: str = eqx.field(static=True)

    def __init__(self, count, width, name, key):
        first, second = jax.random.split(key)
        self.table = 0.1 * jax.random.normal(first, (count, width))
        self.layer = eqx.nn.Linear(width, width, key=second)
        self.name = name

    def __call__(self, index):
        return jnp.tanh(self.layer(self.table[index]))


class TwoTowers(eqx.Module):
    readers: Tower
    books: Tower

    def __init__(self, readers, books, width, key):
        first, second = jax.random.split(key)
        self.readers = Tower(readers, width, "readers", first)
        self.books = Tower(books, width, "books", second)

    def score(self, reader, book):
        return self.readers(reader) @ self.books(book)

    @eqx.filter_jit
    def ranking(self, reader, shelf):
        scores = jax.vmap(lambda book: self.score(reader, book))(shelf)
        return shelf[jnp.argsort(-scores)]


@eqx.filter_value_and_grad
def contrast(model, readers, liked, other):
    gaps = []
    gaps.append(jax.vmap(model.score)(readers, liked))
    gaps.append(-jax.vmap(model.score)(readers, other))
    return jax.nn.softplus(-sum(gaps)).mean()


def make_trainer(optimiser):
    """A compiled step for an optimiser."""

    @eqx.filter_jit
    def step(model, state, readers, liked, other):
        loss, gradient = contrast(model, readers, liked, other)
        updates, state = optimiser.update(gradient, state)
        return eqx.apply_updates(model, updates), state, loss

    return step


class CsvLog:
    def __init__(self):
        self.buffer = io.StringIO()
        self.writer = csv.writer(self.buffer)
        self.rows = 0

    def write(self, **values):
        self.rows += 1
        self.writer.writerow([datetime.datetime.now().isoformat(), *values.values()])


def train(seed=0, epochs=3, readers=6, books=9):
    rng = np.random.default_rng(seed)
    model = TwoTowers(readers, books, 4, jax.random.key(seed))
    optimiser = optax.adam(1e-2)
    state = optimiser.init(eqx.filter(model, eqx.is_array))
    step = make_trainer(optimiser)
    log = CsvLog()
    for epoch in range(epochs):
        batch = rng.integers(0, [readers, books, books], size=(8, 3)).T
        model, state, loss = step(model, state, *batch)
        log.write(epoch=epoch, loss=float(loss))
        print(f"{epoch}: {loss:.4f}")
    return model, log
