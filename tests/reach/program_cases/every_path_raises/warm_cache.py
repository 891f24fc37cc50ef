import jax.numpy as jnp
import warm_cache as m

from tools.observation import printed


def runs():
    printed(lambda: m.prepare((1, 3)))
    assert m.smoothest(jnp.linspace(0.0, 1.0, 5)) > 0


HOSTILE = {}
INNOCENT = [runs]
