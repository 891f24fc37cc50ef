"""Exact and sparse regression."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_factor, cho_solve

from .kernels import Scaled as Clippable

__all__ = ["SparseModel", "choose_inducing", "log_evidence", "predict", "thinned"]


class SparseModel:
    """Owns the compiled functions of one data set."""

    def __init__(self, kernel, noise, jitter=1e-6, check=False):
        self.kernel = kernel
        self.noise = noise
        self.jitter = jitter
        self.check = check
        self._bound = jax.jit(self.bound)

    def gram(self, kernel, z):
        return kernel(z, z) + self.jitter * jnp.eye(z.shape[0])

    def bound(self, kernel, x, y, z):
        inner = self.gram(kernel, z)
        if self.check:
            self.verify(inner)
        cross = kernel(x, z)
        nystrom = cross @ jnp.linalg.solve(inner, cross.T) + self.noise * jnp.eye(len(x))
        factor = cho_factor(nystrom, lower=True)
        return -0.5 * y @ cho_solve(factor, y) - jnp.log(jnp.diag(factor[0])).sum()

    @staticmethod
    def verify(gram):
        assert jnp.linalg.eigvalsh(gram)[0] > 0, "not positive definite"  # expect: JIT103 @definite

    def evaluate(self, x, y, z):
        value = self._bound(self.kernel, x, y, z)
        return None if np.isnan(value) else float(value)


@jax.jit
def log_evidence(kernel, x, y):
    gram = kernel(x, x) + 0.1 * jnp.eye(len(x))
    penalty = kernel.log_prior() if hasattr(kernel, "log_prior") else 0.0
    return penalty - 0.5 * y @ jnp.linalg.solve(gram, y)


@jax.jit
def predict(kernel, x, y, fresh, positive=False):
    kernel = kernel.clipped() if isinstance(kernel, Clippable) else kernel
    mean = kernel(fresh, x) @ jnp.linalg.solve(kernel(x, x) + 0.1 * jnp.eye(len(x)), y)
    if positive:
        mean = jax.nn.softplus(mean)
    return mean


def choose_inducing(x, count):
    """A greedy spread of points, chosen with NumPy."""
    points, chosen = np.asarray(x), [0]
    while len(chosen) < count:
        gaps = np.linalg.norm(points[:, None] - points[chosen], axis=-1).min(1)
        chosen.append(int(gaps.argmax()))
    return x[np.array(sorted(chosen))]


@jax.jit
def thinned(x, stride):
    return x[::stride]  # expect: JIT107 @stride
