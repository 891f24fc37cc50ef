"""Looks like a fault of JIT308.

Only one class of the program has an attribute ``goal``, and what is passed has one too: a named tuple
whose fields are made at run time.
"""

from collections import namedtuple

import jax
import jax.numpy as jnp


class Puzzle:
    """Rows of numbers that are shifted until they look like the goal."""

    goal = None

    def __init__(self, width, *further):
        self.width = width
        self.Task = namedtuple("Task", ["goal", *further])
        self.shifted = jax.jit(self.shifted)

    def task(self):
        self.goal = jnp.arange(self.width)
        return self.Task(goal=self.goal)

    def shifted(self, task, row, by):
        return jnp.where(row == task.goal, row, jnp.roll(row, by))

    def beginning(self, task, key):
        return scramble(self, task, jnp.arange(self.width) + 0 * task.goal, key)


def scramble(puzzle: Puzzle, task, row, key):
    def turn(carry):
        left, row, key = carry
        key, drawn = jax.random.split(key)
        return left - 1, puzzle.shifted(task, row, jax.random.randint(drawn, (), 0, 3)), key

    return jax.lax.while_loop(lambda carry: carry[0] > 0, turn, (3, row, key))[1]


def play(puzzle, wanted):
    for name in wanted:
        print(name, getattr(puzzle, name)(puzzle.task(), jax.random.PRNGKey(1)))


play(Puzzle(4), ["beginning"])
