"""Tic-tac-toe: full search on the host, and a value network that learns from it."""

import functools
import random

import jax
import jax.numpy as jnp
import numpy as np

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@functools.lru_cache(maxsize=None)
def minimax(board, turn):
    """The value of a board, a tuple, for the player with the crosses."""
    for line in LINES:
        total = sum(board[k] for k in line)
        if abs(total) == 3:
            return total // 3
    empty = [k for k in range(9) if not board[k]]
    if not empty:
        return 0
    values = []
    for k in empty:
        after = list(board)
        after[k] = turn
        values.append(minimax(tuple(after), -turn))
    return max(values) if turn == 1 else min(values)


def random_boards(count, seed):
    generator = random.Random(seed)
    boards = []
    while len(boards) < count:
        board = [0] * 9
        turn = 1
        for k in generator.sample(range(9), generator.randrange(4, 8)):
            board[k] = turn
            turn = -turn
        boards.append((tuple(board), turn))
    return boards


class Network:
    """Pure functions, grouped; nothing is kept on the object while tracing."""

    sizes = (9, 12, 1)

    @staticmethod
    def init(key):
        params = []
        for rows, columns in zip(Network.sizes[:-1], Network.sizes[1:]):
            key, sub = jax.random.split(key)
            params.append(jax.random.normal(sub, (rows, columns)) / np.sqrt(rows))
        return params

    @staticmethod
    def apply(params, board, tape=None):
        hidden = board
        for weight in params:
            hidden = jnp.tanh(hidden @ weight)
            if tape is not None:
                tape.append(hidden)
        return hidden[..., 0]

    @classmethod
    def loss(cls, params, boards, values):
        tape = []
        error = cls.apply(params, boards, tape) - values
        sparsity = sum(jnp.abs(layer).mean() for layer in tape)
        return jnp.mean(error**2) + 1e-4 * sparsity


@jax.jit
def update(params, boards, values):
    gradient = jax.grad(Network.loss)(params, boards, values)
    return [p - 0.2 * g for p, g in zip(params, gradient)]


@jax.jit
def mirror(board):
    """All eight views of a board, stacked."""
    square = board.reshape(3, 3)
    views = []

    def add(view):
        views.append(view.ravel())
        views.append(view[:, ::-1].ravel())

    for quarter in range(4):
        add(jnp.rot90(square, quarter))
    return jnp.stack(views)


def learn(rounds=4, seed=3):
    params = Network.init(jax.random.key(seed))
    curve = []
    for number in range(rounds):
        games = random_boards(16, seed + number)
        boards = np.array([board for board, _ in games], np.float32)
        values = np.array([minimax(board, turn) for board, turn in games], np.float32)
        params = update(params, boards, values)
        curve.append(Network.loss(params, boards, values).item())
        print("round", number, "loss", round(curve[-1], 3))
    return params, curve
