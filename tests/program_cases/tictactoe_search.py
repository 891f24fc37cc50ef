import jax.numpy as jnp
import tictactoe_search as ttt

from tools.observation import compilations, printed

HOSTILE = {}


def learned():
    printed(ttt.learn)
    assert compilations(lambda: printed(ttt.learn)) == 0


INNOCENT = [learned, lambda: ttt.mirror(jnp.arange(9.0))]
