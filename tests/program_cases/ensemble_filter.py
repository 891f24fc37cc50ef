import ensemble_filter as ef
import jax.numpy as jnp


def called():
    means, counts = ef.assimilate(jnp.ones((4, 2)))
    assert counts == {"calls": 4} and means.shape == (4, 3)


INNOCENT = [called]
