"""Regression with a Gaussian process and an RBF kernel."""

import jax
import jax.numpy as jnp


def kernel(params, a, b):
    scaled = (a[:, None, :] - b[None, :, :]) / jnp.exp(params["log_length"])
    return jnp.exp(params["log_scale"]) ** 2 * jnp.exp(-0.5 * jnp.sum(scaled**2, axis=-1))


def marginal(params, x, y):
    gram = kernel(params, x, x) + jnp.exp(params["log_noise"]) * jnp.eye(x.shape[0])
    lower = jnp.linalg.cholesky(gram)
    if jnp.any(jnp.isnan(lower)):  # expect: JIT101 @cholesky
        lower = jnp.linalg.cholesky(gram + 1e-3 * jnp.eye(x.shape[0]))
    alpha = jax.scipy.linalg.cho_solve((lower, True), y)
    return 0.5 * y @ alpha + jnp.sum(jnp.log(jnp.diag(lower)))


fit = jax.jit(jax.value_and_grad(marginal))


@jax.jit
def predict(params, x, y, grid):
    gram = kernel(params, x, x) + jnp.exp(params["log_noise"]) * jnp.eye(x.shape[0])
    cross = kernel(params, grid, x)
    mean = cross @ jnp.linalg.solve(gram, y)
    spread = kernel(params, grid, grid) - cross @ jnp.linalg.solve(gram, cross.T)
    assert jnp.all(jnp.diag(spread) > -1e-3)  # expect: JIT103 @spread
    return mean, spread
