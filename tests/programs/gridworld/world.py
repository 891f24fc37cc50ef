"""A grid with walls and a goal, stepped by vmap."""

import jax
import jax.numpy as jnp
import numpy as np

MOVES = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])
MOVE_LIST = [(0, 1), (1, 0), (0, -1), (-1, 0)]
WALLS = {(1, 1), (1, 2)}
SIZE = 4


def wall_map(size=SIZE):
    grid = np.zeros((size, size), dtype=bool)
    for row, column in WALLS:
        if row < size and column < size:
            grid[row, column] = True
    return jnp.asarray(grid)


def step(state, action):
    """Move if the target is free; state is a dict of arrays."""
    target = jnp.clip(state["pos"] + jnp.asarray(MOVES)[action], 0, SIZE - 1)
    blocked = wall_map()[target[0], target[1]]
    pos = jnp.where(blocked, state["pos"], target)
    done = (pos == state["goal"]).all()
    return {**state, "pos": pos}, jnp.where(done, 1.0, -0.01), done


def step_set(state, action):
    """The same with the walls as a set of places."""
    target = jnp.clip(state["pos"] + jnp.asarray(MOVES)[action], 0, SIZE - 1)
    blocked = (target[0], target[1]) in WALLS  # expect: JIT111 @walls
    pos = jnp.where(blocked, state["pos"], target)
    return {**state, "pos": pos}, 0.0, (pos == state["goal"]).all()


def step_list(state, action):
    row, column = MOVE_LIST[action]  # expect: JIT107 @move
    pos = state["pos"] + jnp.array([row, column])
    return {**state, "pos": pos}, 0.0, (pos == state["goal"]).all()


def step_named(state, action):
    """Wind blows from the goal's side."""
    pos = state["pos"]
    match action:
        case 0:  # expect: JIT101 @match
            pos = pos + 1
        case _:
            pos = pos - 1
    return {**state, "pos": pos}, 0.0, (pos == state["goal"]).all()


def reset(key, size=SIZE):
    pos = jax.random.randint(key, (2,), 0, size)
    return {"pos": pos, "goal": jnp.array([size - 1, size - 1])}
