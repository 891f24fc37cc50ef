"""Gaussian process regression with hyperparameters fitted by marginal likelihood."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Hyper(NamedTuple):
    length: jax.Array
    noise: jax.Array

    def describe(self):
        return f"length {float(self.length):.2f}, noise {float(self.noise):.2f}"


def squared_exponential(a, b, length):
    return jnp.exp(-0.5 * ((a[:, None] - b[None, :]) / length) ** 2)


def laplace(a, b, length):
    return jnp.exp(-jnp.abs(a[:, None] - b[None, :]) / length)


KERNELS = {"se": squared_exponential, "laplace": laplace}


def negative_evidence(hyper, x, y, kernel):
    gram = kernel(x, x, hyper.length) + hyper.noise**2 * jnp.eye(x.size)
    terms = {}
    lower = jnp.linalg.cholesky(gram)
    terms["fit"] = 0.5 * y @ jax.scipy.linalg.cho_solve((lower, True), y)
    terms["volume"] = jnp.log(jnp.diag(lower)).sum()
    return sum(terms.values())


@functools.lru_cache(maxsize=None)
def compiled_objective(name):
    """The objective of a kernel and its gradient, compiled the first time it is asked for."""
    return jax.jit(jax.value_and_grad(functools.partial(negative_evidence, kernel=KERNELS[name])))


def fit(x, y, name, steps=5):
    hyper = Hyper(jnp.float32(1.0), jnp.float32(0.5))
    evidence = []
    for _ in range(steps):
        value, gradient = compiled_objective(name)(hyper, x, y)
        hyper = jax.tree.map(lambda h, g: h - 0.01 * g, hyper, gradient)
        evidence.append(float(value))
    return hyper, evidence


def compare(x, y):
    best = {}
    for name in KERNELS:
        hyper, evidence = fit(x, y, name)
        best[name] = evidence[-1]
        print(f"{name}: {evidence[-1]:.3f} with {hyper.describe()}")
    return min(best, key=best.get)


def toy_data(count=12):
    rng = np.random.default_rng(8)
    x = np.sort(rng.uniform(-2, 2, count)).astype(np.float32)
    y = np.sin(2 * x) + 0.1 * rng.normal(size=count)
    y[0] = 0.0
    return jnp.asarray(x), jnp.asarray(y, jnp.float32)


if __name__ == "__main__":
    print("best kernel:", compare(*toy_data()))
