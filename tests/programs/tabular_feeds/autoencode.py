"""Principal directions by gradient descent on the fed batches."""

import logging
import random

import jax
import jax.numpy as jnp

from feeds import Feed

logger = logging.getLogger(__name__)
RUNS = []


def reconstruct(basis, rows):
    """Projection onto the basis."""
    return rows @ basis @ basis.T


@jax.jit
def step(basis, rows, rate):
    """One step and the error before it."""

    def error(basis):
        return jnp.mean((reconstruct(basis, rows) - rows) ** 2)

    value, slope = jax.value_and_grad(error)(basis)
    return jnp.linalg.qr(basis - rate * slope)[0], value


class Progress:
    """A plain text progress bar."""

    def __init__(self, total):
        self.total = total
        self.done = 0
        self.best = float("inf")

    def advance(self, value):
        self.done += 1
        self.best = min(self.best, float(value))
        print(f"[{'#' * self.done:<{self.total}}] {self.best:.4f}", end="\r")


def fit(name, directions=2, epochs=2, log_path=None):
    """Train, write a log and keep the run."""
    key = jax.random.key(random.randrange(1000))
    basis = jnp.linalg.qr(jax.random.normal(key, (4, directions)))[0]
    feed, progress = Feed(name), Progress(3 * epochs)
    for _ in range(epochs):
        for rows in feed:
            basis, value = step(basis, rows, 0.1)
            progress.advance(value)
            logger.info("error %.4f", value)
            if log_path is not None:
                with open(log_path, "a") as handle:
                    handle.write(f"{float(value)}\n")
    RUNS.append({"name": name, "basis": basis, "best": progress.best})
    return basis
