"""Expectation maximisation of Gaussians in D dimensions."""

import jax
import jax.numpy as jnp


def log_normal(x, mean, precision):
    delta = x - mean
    _, logdet = jnp.linalg.slogdet(precision)
    return 0.5 * (logdet - jnp.einsum("nd,de,ne->n", delta, precision, delta))


def expect(x, mixture):
    scores = jnp.stack(
        [
            jnp.log(weight) + log_normal(x, mean, precision)
            for weight, mean, precision in zip(
                mixture["weights"], mixture["means"], mixture["precisions"], strict=True
            )
        ],
        axis=1,
    )
    return jax.nn.softmax(scores, axis=1)


@jax.jit
def maximise(x, mixture):
    shares = expect(x, mixture)
    mass = shares.sum(axis=0)
    if mass.min() < 1e-8:  # expect: JIT101 @collapsed
        mass = mass + 1e-8
    means = (shares.T @ x) / mass[:, None]
    return {**mixture, "weights": mass / x.shape[0], "means": means}
