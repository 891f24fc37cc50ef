import jax.numpy as jnp

from dynamics import Rollout, simulate


def sensitivity(angles=(0.1, 0.2, 0.3)):
    return [simulate(angle) for angle in angles]


def random_search(trials=3):
    rollout = Rollout(0.9)
    best = None
    for trial in range(trials):
        path = rollout.trajectory(0.0, jnp.arange(4.0) * trial)
        best = path if best is None or path[-1] > best[-1] else best
    return best
