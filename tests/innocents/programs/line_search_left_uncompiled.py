"""Looks like a fault of JIT102.

A dataclass of the solver overrides the default of a field of its base, by which nothing is compiled.
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Solver:
    fun: Callable
    maxiter: int = 20
    jit: bool = True

    def __post_init__(self):
        self._update = jax.jit(self.update) if self.jit else self.update

    def run(self, x):
        for _ in range(self.maxiter):
            x = self._update(x)
        return x


@dataclass
class FixedStep(Solver):
    rate: float = 0.1

    def update(self, x):
        return x - self.rate * jax.grad(self.fun)(x)


@dataclass
class Backtracking(Solver):
    jit: bool = False
    shrink: float = 0.5

    def update(self, x):
        value, grad = jax.value_and_grad(self.fun)(x)
        rate = 1.0
        while self.fun(x - rate * grad) > value - 0.3 * rate * jnp.vdot(grad, grad):
            rate *= self.shrink
        return x - rate * grad


def bowl(x):
    return jnp.sum(jnp.array([1.0, 4.0]) * (x - 1.0) ** 2)


if __name__ == "__main__":
    fixed = FixedStep(bowl)
    assert jnp.allclose(fixed.run(jnp.zeros(2)), 1.0, atol=0.02)
    assert fixed._update._cache_size() == 1
    searched = Backtracking(bowl).run(jnp.zeros(2))
    assert jnp.allclose(searched, 1.0, atol=0.02), searched
