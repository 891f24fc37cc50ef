"""Gradient descent driven by a schedule."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

import schedules


class State(NamedTuple):
    weights: jax.Array
    step: jax.Array


def make_update(schedule):
    """Build a compiled update that follows the schedule."""

    @jax.jit
    def update(state, target):
        grad = jax.grad(lambda w: jnp.sum((w - target) ** 2))(state.weights)
        return State(state.weights - schedule(state.step) * grad, state.step + 1)

    return update


def descend(schedule, steps=5):
    update = make_update(schedule)
    state = State(jnp.zeros(3), jnp.zeros((), jnp.int32))
    for _ in range(steps):
        state = update(state, jnp.ones(3))
    return state.weights


def main():
    cosine = schedules.cosine(0.3, 10)
    choices = {
        "constant": schedules.constant(0.1),
        "cosine": cosine,
        "smooth": schedules.smooth_warmup(0.3, 3, cosine),
        "table": schedules.table(schedules.precompute(cosine, 10)),
    }
    for name, schedule in choices.items():
        print(f"{name:>8}: {descend(schedule)}")
    print(descend(schedules.linear_warmup(0.3, 3, cosine)))
    print(descend(schedules.piecewise([2, 4], [0.3, 0.2, 0.1])))
    print(descend(schedules.stairs(0.3, 0.5, 2)))
    print(descend(schedules.cyclic(0.1, 0.3, 4)))
    print(schedules.precompute(schedules.stairs(0.3, 0.5, 2), 6))


if __name__ == "__main__":
    main()
