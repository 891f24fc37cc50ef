import grid_searches as m
import jax.numpy as jnp

from tools.observation import compilations, printed

W = jnp.zeros(2)


def once():
    first = compilations(lambda: m.search(m.bowl, W, m.settings((0.1,), (0.5,))))
    many = compilations(lambda: m.search(m.bowl, W, m.settings((0.1, 0.2, 0.3), (0.5,))))
    assert many <= first


HOSTILE = {}
INNOCENT = [once, lambda: m.search(m.bowl, W, m.settings((0.1, 0.3), (0.0,), 1, True))]
