"""Conway's game of life and a one-dimensional cousin, on a torus."""

import jax
import jax.numpy as jnp
import numpy as np

generations = 0
SHIFTS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]


def glider(size):
    board = np.zeros((size, size), np.int32)
    for y, x in ((0, 1), (1, 2), (2, 0), (2, 1), (2, 2)):
        board[y, x] = 1
    return board


def neighbours(board):
    shifted = []
    for shift in SHIFTS:
        shifted.append(jnp.roll(board, shift, axis=(0, 1)))
    return sum(shifted)


def evolve(board):
    global generations
    generations = generations + 1  # expect: JIT203 @generations
    count = neighbours(board)
    return ((count == 3) | ((count == 2) & (board == 1))).astype(jnp.int32)


evolve_fast = jax.jit(evolve)


def with_walls(board):
    """A generation in a box: nothing lives on the rim."""
    board = evolve(board)
    board[0] = 0  # expect: JIT205 @wall
    return board


def with_walls_set(board):
    board = evolve(board)
    return board.at[0].set(0).at[-1].set(0)


boxed = jax.jit(with_walls)
boxed_set = jax.jit(with_walls_set)


def until_still(board, rule):
    """Run a rule until nothing moves, at most 20 generations."""
    age = 0
    while age < 20:

        @jax.jit  # expect: JIT301 @inner
        def advance(cells):
            return rule(evolve(cells))

        following = advance(board)
        if bool((following == board).all()):
            break
        board = following
        age += 1
    return board, age


def until_still_quickly(board, rule):
    advance = jax.jit(lambda cells: rule(evolve(cells)))
    age = 0
    while age < 20:
        following = advance(board)
        if bool((following == board).all()):
            break
        board = following
        age += 1
    return board, age


def wolfram(cells, number, steps):
    """The history of an elementary automaton, one row per step."""
    table = jnp.array([(number >> k) & 1 for k in range(8)])

    def step(cells, _):
        code = 4 * jnp.roll(cells, 1) + 2 * cells + jnp.roll(cells, -1)
        following = table[code]
        print(following)  # expect: JIT201 @row
        return following, following

    return jax.lax.scan(step, cells, None, length=steps)[1]


def show(board):
    for row in np.asarray(board):
        print("".join(".#"[cell] for cell in row))


def main():
    board = glider(8)
    for _ in range(4):
        board = evolve_fast(board)
    show(board)


if __name__ == "__main__":
    main()
