import edge_detector as ed
import jax.numpy as jnp

from tools.observation import compilations

HOSTILE = {}
image = jnp.asarray(ed.disc(16))


def scales():
    ed.scales(image)
    assert compilations(lambda: ed.scales(image)) == 0


INNOCENT = [scales, lambda: ed.edges(image, (0, 1, 2), "l2")]
