"""Episodes, visit counts and the shortest path."""

import jax
import jax.numpy as jnp

from world import MOVE_LIST, SIZE, WALLS, reset, step, step_list, step_named, step_set


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
