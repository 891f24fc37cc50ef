"""A solver whose matrices are set by a method."""

import jax
import jax.numpy as jnp


class Solver:
    """Conjugate gradients; ``prepare`` comes first."""

    def __init__(self, tolerance=1e-6):
        self.tolerance = tolerance
        self.matrix = None
        self.diagonal = None

    def prepare(self, matrix):
        self.matrix = matrix
        self.diagonal = jnp.diag(matrix)
        return self

    def residual(self, x, b):
        return b - self.matrix @ x

    def jacobi(self, x, b):
        r = self.residual(x, b)
        if jnp.linalg.norm(r) < self.tolerance:  # expect: JIT101 @converged
            return x
        return x + r / self.diagonal

    def solve(self, b, steps=3):
        step = jax.jit(lambda x: self.jacobi(x, b))
        x = jnp.zeros_like(b)
        for _ in range(steps):
            x = step(x)
        return x
