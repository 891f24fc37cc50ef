"""The outer loop over multipliers."""

import logging
from pathlib import Path

import jax
import jax.numpy as jnp
from jax.experimental import io_callback

from problem import circle, lagrangian

log = logging.getLogger(__name__)


class Journal:
    """Writes the iterates to a file."""

    def __init__(self, path):
        self.path = Path(path)

    def write(self, x):
        with open(self.path, "a") as stream:  # expect: JIT206 @journal
            print("iterate", x.shape, file=stream)
        return x

    def write_row(self, x):
        """Called back with the numbers."""
        with open(self.path, "a") as stream:
            stream.write(" ".join(f"{value:.4f}" for value in x) + "\n")


def inner(problem, x, multiplier, weight, steps=20):
    """Minimise the Lagrangian by gradient descent."""

    def penalised(y):
        return lagrangian(problem, y, multiplier, weight)

    slope = jax.jit(jax.grad(penalised))  # expect: JIT301 @slope
    for _ in range(steps):
        x = x - 0.02 * slope(x)
    return x


def make_inner(problem):
    """The same, compiled for all multipliers at once."""
    slope = jax.grad(lambda y, multiplier, weight: lagrangian(problem, y, multiplier, weight))

    @jax.jit
    def descend(x, multiplier, weight):
        return jax.lax.fori_loop(0, 20, lambda _, y: y - 0.02 * slope(y, multiplier, weight), x)

    return descend


def solve(problem, x, tolerance=1e-2, limit=4):
    multiplier, weight, rounds = 0.0, 1.0, 0
    while abs(float(problem.constraint(x))) > tolerance and rounds < limit:
        x = inner(problem, x, multiplier, weight)
        multiplier += weight * float(problem.constraint(x))
        weight *= 2
        rounds += 1
        log.info("round %d: %s", rounds, x)
    return x


def solve_compiled(problem, x, rounds=4):
    descend = make_inner(problem)
    multiplier, weight = 0.0, 1.0
    for _ in range(rounds):
        x = descend(x, multiplier, weight)
        multiplier += weight * float(problem.constraint(x))
        weight *= 2
    return x


def project(x, fixed):
    x[fixed] *= 0.0  # expect: JIT205 @fixed
    return x / jnp.linalg.norm(x)


def release(x, fixed):
    x = x.at[fixed].set(0.0)
    return x / jnp.linalg.norm(x)


@jax.jit
def projected_step(x):
    return project(x - 0.1, 0)


@jax.jit
def released_step(x):
    return release(x - 0.1, 0)


def recorder(path):
    journal = Journal(path)
    return jax.jit(lambda x: journal.write(x - 0.1 * x))


def row_recorder(path):
    journal = Journal(path)

    def step(x):
        x = x - 0.1 * x
        io_callback(journal.write_row, None, x)
        return x

    return jax.jit(step)


if __name__ == "__main__":
    start = jnp.array([0.9, 0.8])
    print(solve(circle([2.0, 1.0]), start), solve_compiled(circle([2.0, 1.0]), start))
    print(released_step(start))
