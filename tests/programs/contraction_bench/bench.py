"""Compare the kernels.

    python bench.py
"""

import jax
import jax.numpy as jnp

from clock import TIMINGS, best_of, measured
from kernels import Blocked, Einsum, Matmul, outer_sum

compiled_outer = jax.jit(outer_sum)


def operands(rows=6, columns=4):
    a = jnp.arange(rows * columns, dtype=jnp.float32).reshape(rows, columns)
    return a, a[::-1]


def compare(kernel, pairs):
    """Best time of one kernel on each pair of operands."""
    times = []
    for a, b in pairs:
        contract = jax.jit(kernel.contract)  # expect: JIT301 @bound
        contract(a, b).block_until_ready()
        times.append(best_of(lambda: contract(a, b).block_until_ready()))
    return times


def scaled(a, b, scale):
    """The reference, scaled."""

    @jax.jit  # expect: JIT303 @scaled
    def run(a, b):
        return scale * (a @ b.T)

    return run(a, b)


def agreement(a, b):
    """How far the kernels are from the scaled reference."""
    single = jnp.abs(compiled_outer(a, b) - scaled(a, b, 1.0)).max()
    double = jnp.abs(2.0 * compiled_outer(a, b) - scaled(a, b, 2.0)).max()
    return float(jnp.maximum(single, double))


@measured
def warm_up(a, b):
    """Runs on the host around compiled code."""
    return compiled_outer(a, b).block_until_ready()


def main():
    a, b = operands()
    warm_up(a, b)
    pairs = [(a, b), (b, a), (a, a)]
    print(compare(Einsum(), pairs), compare(Matmul("high"), pairs), compare(Blocked(), pairs))
    print("largest difference", agreement(a, b))
    print({name: min(times) for name, times in TIMINGS.items()})


if __name__ == "__main__":
    main()
