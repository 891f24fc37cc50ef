"""The rules; a position is a registered dataclass of a board and whose turn it is."""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

ROWS, COLUMNS = 6, 7


def _lines():
    lines = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for y in range(ROWS):
            for x in range(COLUMNS):
                cells = [(y + k * dy, x + k * dx) for k in range(4)]
                if all(0 <= a < ROWS and 0 <= b < COLUMNS for a, b in cells):
                    lines.append([a * COLUMNS + b for a, b in cells])
    return np.array(lines)


LINES = _lines()


@partial(jax.tree_util.register_dataclass, data_fields=["board", "turn"], meta_fields=["variant"])
@dataclass
class Position:
    board: jax.Array
    turn: jax.Array
    variant: str = field(default="standard")

    @jax.jit
    def play(self, column):
        row = ROWS - 1 - (self.board[:, column] != 0).sum()
        board = self.board.at[row, column].set(self.turn)
        return Position(board, -self.turn, self.variant)

    @jax.jit
    def winner(self):
        sums = self.board.ravel()[LINES].sum(axis=1)
        return jnp.where((sums == 4).any(), 1, jnp.where((sums == -4).any(), -1, 0))

    def legal(self):
        return self.board[0] == 0


def start():
    return Position(jnp.zeros((ROWS, COLUMNS), jnp.int32), jnp.int32(1))
