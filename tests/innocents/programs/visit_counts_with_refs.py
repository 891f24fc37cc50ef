"""Looks like a fault of JIT205.

What is assigned into are mutable references made by jax.new_ref, for which item assignment is the supported way to write, within compiled code too.
"""

import jax
import jax.numpy as jnp
import numpy as np


def make_table(states, value=0.0):
    return jax.new_ref(jnp.full((states,), value))


@jax.jit
def count_visits(trajectory, decay):
    visits = make_table(5)
    recency = make_table(5, 1.0)

    def visit(step, _):
        state = trajectory[step]
        visits[state] += 1.0
        recency[...] = recency[...] * decay
        recency[state] = 1.0
        return None

    jax.lax.fori_loop(0, trajectory.shape[0], visit, None)
    return visits[...], recency[...]


class ExplorationBonus:
    def __init__(self, states, scale):
        self.totals = make_table(states)
        self.scale = scale

    def absorb(self, trajectory):
        visits, _ = count_visits(trajectory, 0.5)
        self.totals[...] += visits

    def __call__(self, state):
        return float(self.scale / jnp.sqrt(1.0 + self.totals[state]))


if __name__ == "__main__":
    path = jnp.array([0, 1, 1, 4])
    visits, recency = count_visits(path, 0.5)
    assert visits.tolist() == [1, 2, 0, 0, 1]
    assert np.allclose(recency, [0.125, 0.5, 0.0625, 0.0625, 1.0])
    bonus = ExplorationBonus(5, 2.0)
    for _ in range(3):
        bonus.absorb(path)
    assert np.allclose(bonus.totals[...], [3, 6, 0, 0, 3])
    assert bonus(0) == 1.0 and bonus(2) == 2.0
    assert count_visits._cache_size() == 1
