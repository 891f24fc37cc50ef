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


def visits(positions):
    """How often each visited cell was seen."""
    flat = positions[..., 0] * SIZE + positions[..., 1]
    return jnp.bincount(flat.reshape(-1), length=SIZE * SIZE)


def visited_cells(positions):
    flat = positions[..., 0] * SIZE + positions[..., 1]
    return jnp.flatnonzero(jnp.bincount(flat.reshape(-1), length=SIZE**2))  # expect: JIT109 @cells


def roll(keys, actions, step_fn=step):
    """Batched episodes: actions is (time, batch)."""
    states = jax.vmap(reset)(keys)
    rewards, track = [], []
    for row in actions:
        states, reward, done = jax.vmap(step_fn)(states, row)
        rewards.append(reward)
        track.append(states["pos"])
    return jnp.stack(track), jnp.stack(rewards).sum()


count_visits = jax.jit(visits)
list_visits = jax.jit(visited_cells)


def shortest(pos, goal):
    """Plain breadth-first search on the host."""
    frontier, seen = [(tuple(pos), 0)], {tuple(pos)}
    while frontier:
        place, length = frontier.pop(0)
        if place == tuple(goal):
            return length
        for move in MOVE_LIST:
            new = (place[0] + move[0], place[1] + move[1])
            if new in WALLS or new in seen or min(new) < 0 or max(new) >= SIZE:
                continue
            seen.add(new)
            frontier.append((new, length + 1))
    return None


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    actions = jax.random.randint(jax.random.key(1), (5, 3), 0, 4)
    track, total = roll(keys, actions)
    print(total, count_visits(track), visited_cells(track))
    print(shortest((0, 0), (3, 3)), list_visits(track))
    for step_fn in (step_set, step_list, step_named):
        print(roll(keys, actions, step_fn)[1])


if __name__ == "__main__":
    main()
