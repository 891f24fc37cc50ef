import jax.numpy as jnp

import sampler

from tools.harm import same


def noise():
    one = sampler.Sampler(0)
    return same(one.noise(jnp.zeros(3)), one.noise(jnp.zeros(3)))


def body():
    _, path = sampler.chain(jnp.zeros(2))
    return same(path[1] - path[0], path[2] - path[1])


HOSTILE = {}
SILENT = {"noise": noise, "body": body}
