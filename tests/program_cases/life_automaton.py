import jax.numpy as jnp
import life_automaton as life

from tools.observation import compilations, printed

HOSTILE = {"wall": lambda: life.boxed(life.glider(6))}
EXPECT = {"wall": ("TypeError",)}


def generations():
    before = life.generations
    board = life.glider(9)
    for _ in range(4):
        board = life.evolve_fast(board)
    return life.generations - before == 1


def inner():
    board = jnp.asarray(life.glider(6))
    life.until_still_quickly(board, jnp.abs)
    return compilations(lambda: life.until_still(board, jnp.abs)) >= 20


def row():
    text = printed(lambda: life.wolfram(jnp.array([0, 0, 1, 0, 0]), 110, 4))
    return text.count("JitTracer") == 1


SILENT = {"generations": generations, "inner": inner, "row": row}


def quickly():
    board = jnp.asarray(life.glider(6))
    life.until_still_quickly(board, jnp.abs)
    assert compilations(lambda: life.until_still_quickly(board, jnp.abs)) <= 1


INNOCENT = [
    quickly,
    lambda: life.boxed_set(life.glider(6)),
    lambda: printed(life.main),
]
