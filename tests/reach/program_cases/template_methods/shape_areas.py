import jax.numpy as jnp
import shape_areas as m


def areas():
    box = m.Box(jnp.zeros(2), jnp.ones(2))
    assert len(m.report([m.Disc(0.5), m.Disc(2.0), box])) == 3
    assert isinstance(box.seen[0], float)


HOSTILE = {}
INNOCENT = [areas]
