"""A solver object with a fixed number of iterations."""

from functools import partial

import jax
import jax.numpy as jnp


class GradientDescent:
    def __init__(self, fun, max_iter=250, rate=0.01):
        self.fun = fun
        self.max_iter = max_iter
        self.rate = rate

    @partial(jax.jit, static_argnums=0)
    def run(self, w):
        grad = jax.grad(self.fun)
        for _ in range(self.max_iter):  # expect: JIT404 @iterations
            w = w - self.rate * grad(w)
        return w


solver = GradientDescent(lambda w: jnp.sum(w**2))
rough = GradientDescent(lambda w: jnp.sum(w**4), max_iter=120)


@jax.jit
def smoothed(x):
    kernel = jnp.array([0.25, 0.5, 0.25])
    return jnp.stack([jnp.convolve(x, kernel, mode="same") * k for k in range(100)])  # expect: JIT404 @comprehension
