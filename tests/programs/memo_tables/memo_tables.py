"""Tables and compiled functions that are made once and looked up later."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np

programs = {}


@functools.cache
def binomials(degree):
    """Exact numbers from Python."""
    return tuple(math.comb(degree, k) for k in range(degree + 1))


@functools.lru_cache(maxsize=16)
def smoother(width):
    """A compiled moving average of that width."""
    kernel = np.ones(width, np.float32) / width
    return jax.jit(lambda series: jnp.convolve(series, kernel, mode="valid"))


def evaluator(degree):
    """A compiled Bernstein polynomial; one program per degree."""
    try:
        return programs[degree]
    except KeyError:

        @jax.jit
        def evaluate(coefficients, t):
            basis = {}
            for k, count in enumerate(binomials(degree)):
                basis[k] = count * t**k * (1 - t) ** (degree - k)
            return sum(coefficients[k] * value for k, value in basis.items())

        programs[degree] = evaluate
        return evaluate


class Bank:
    """Filters by name, compiled when they are first asked for."""

    def __init__(self, filters):
        self.filters = filters
        self._compiled = {}
        self.lookups = 0

    def __getitem__(self, name):
        self.lookups += 1
        if name not in self._compiled:
            self._compiled[name] = jax.jit(self.filters[name])
        return self._compiled[name]

    @functools.cached_property
    def gains(self):
        """What each filter does to a constant."""
        ones = jnp.ones(8)
        return {name: float(self[name](ones).mean()) for name in self.filters}


def make_all(degrees):
    """Compiled evaluators of several degrees."""
    return [evaluator(degree) for degree in degrees]


def smooth_all(rows, widths):
    smoothed = []
    for row in rows:
        for width in widths:
            smoothed.append(float(smoother(width)(row).std()))
    return smoothed


def main():
    t = jnp.linspace(0, 1, 5)
    for _ in range(2):
        for degree, evaluate in zip((2, 3), make_all((2, 3))):
            print(evaluate(jnp.arange(degree + 1.0), t))
    rows = np.random.default_rng(0).normal(size=(3, 12)).astype(np.float32)
    print(smooth_all(rows, (2, 3)))
    bank = Bank({"sum": jnp.cumsum, "difference": jnp.diff})
    for name in ("sum", "difference", "sum"):
        print(bank[name](rows[0]).shape)
    print(bank.gains, bank.lookups)


if __name__ == "__main__":
    main()
