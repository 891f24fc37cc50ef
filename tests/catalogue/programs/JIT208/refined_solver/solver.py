"""Newton's method in two passes: roughly first, then exactly."""

from dataclasses import dataclass

import jax


@dataclass
class Options:
    damping: float = 0.5
    shift: float = 0.0


class Newton:
    sweeps = 2

    @staticmethod
    @jax.jit
    def solve(x):
        for _ in range(Newton.sweeps):  # expect: JIT208 @sweeps
            x = x - (x**3 - 2.0) / (3.0 * x**2)
        return x


options = Options()


@jax.jit
def relax(x):
    return x - options.damping * (x**2 - 2.0) / (2.0 * x)  # expect: JIT208 @damping


def two_passes(x):
    Newton.sweeps = 2
    rough = Newton.solve(x)
    Newton.sweeps = 8
    return rough, Newton.solve(rough)


def relaxed(x):
    options.damping = 0.5
    for _ in range(3):
        x = relax(x)
    options.damping = 1.0
    return relax(x)
