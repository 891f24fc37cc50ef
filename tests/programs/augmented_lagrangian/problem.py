"""A quadratic cost on a circle."""

from dataclasses import dataclass
from typing import Callable

import jax.numpy as jnp


@dataclass(frozen=True)
class Problem:
    """Minimise a cost where the constraint is zero."""

    cost: Callable
    constraint: Callable


def circle(target):
    target = jnp.asarray(target)
    return Problem(
        cost=lambda x: ((x - target) ** 2).sum(),
        constraint=lambda x: (x**2).sum() - 1.0,
    )


def lagrangian(problem, x, multiplier, weight):
    gap = problem.constraint(x)
    return problem.cost(x) + multiplier * gap + 0.5 * weight * gap**2
