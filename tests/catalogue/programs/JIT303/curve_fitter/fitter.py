"""A fitter whose methods compile what they need, when SciPy asks for it."""

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import minimize


class Fitter:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def residual(self, theta):
        return theta[0] * jnp.exp(-theta[1] * self.x) - self.y

    def objective(self, theta):
        square = jax.jit(lambda t: jnp.sum(self.residual(t) ** 2))  # expect: JIT303 @lambda
        return float(square(theta))

    def gradient(self, theta):
        @jax.jit  # expect: JIT303 @nested
        def slope(t):
            return jax.grad(lambda t: jnp.sum(self.residual(t) ** 2))(t)

        return np.asarray(slope(theta), float)

    def fit(self, start):
        return minimize(self.objective, start, jac=self.gradient, options={"maxiter": 2}).x


def main():
    x = jnp.linspace(0.0, 1.0, 5)
    return Fitter(x, jnp.exp(-2 * x)).fit(np.array([0.5, 0.5]))
