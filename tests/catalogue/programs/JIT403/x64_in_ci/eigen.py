import jax.numpy as jnp


def modes(matrix):
    return jnp.linalg.eigvalsh(jnp.asarray(matrix, dtype="float64"))
