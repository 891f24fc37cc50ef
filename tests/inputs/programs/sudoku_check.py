"""Checks of a sudoku as an array of 9 by 9 integers."""

import jax
import jax.numpy as jnp


def blocks(board):
    return board.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)


def complete(rows):
    counts = jax.vmap(lambda row: jnp.bincount(row, length=10))(rows)
    return jnp.all(counts[:, 1:] == 1)


@jax.jit
def solved(board):
    if complete(board) and complete(board.T):  # expect: JIT101 @rows
        return complete(blocks(board))
    return jnp.array(False)


@jax.jit
def candidates(board, row, column):
    block = blocks(board)[(row // 3) * 3 + column // 3]
    used = jnp.concatenate([board[row], board[:, column], block])
    return jnp.setdiff1d(jnp.arange(1, 10), used)  # expect: JIT109 @candidates
