import jax.numpy as jnp


def gauss(f):
    nodes = jnp.array([-1.0, 1.0], dtype=jnp.float64) / jnp.sqrt(3.0)
    return f(nodes).sum()
