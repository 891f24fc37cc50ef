"""Reaction kinetics with a matrix of stoichiometry."""

import jax
import numpy as np

STOICHIOMETRY = np.array([[-1, 1, 0], [0, -1, 1], [1, 0, -1]])


def rates(constants, amounts):
    return constants * amounts


def change(constants, amounts):
    return STOICHIOMETRY.T @ rates(constants, amounts)


@jax.jit
def react(constants, amounts, dt):
    new = amounts + dt * change(constants, amounts)
    if (new < 0).any():  # expect: JIT101 @negative
        new = amounts + 0.5 * dt * change(constants, amounts)
    return new


def settle(constants, amounts, dt):
    def advance(i, state):
        amounts, spent = state
        used = float(dt)  # expect: JIT105 @spent
        return react(constants, amounts, dt), spent + used

    return jax.lax.fori_loop(0, 10, advance, (amounts, 0.0))


settle_fast = jax.jit(settle)
