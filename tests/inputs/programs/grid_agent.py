"""Value iteration on a grid of walls."""

import jax
import jax.numpy as jnp
import numpy as np

MOVES = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])


def shifted(values, walls):
    height, width = walls.shape
    padded = jnp.pad(values, 1, constant_values=-1.0)
    around = [
        padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] for dy, dx in MOVES.tolist()
    ]
    return jnp.where(walls, values, jnp.stack(around).max(axis=0))


@jax.jit
def iterate(values, rewards, walls):
    change = jnp.inf
    while change > 1e-3:  # expect: JIT102 @change
        new = rewards + 0.9 * shifted(values, walls)
        change = jnp.abs(new - values).max()
        values = new
    return values
