"""Innocent, though it looks like JIT105.

What makes it right: command line.
"""

import argparse

import jax
import jax.numpy as jnp


def exact(matrix, b):
    return jnp.linalg.solve(matrix, b)


def iterative(matrix, b):
    x = jnp.zeros_like(b)
    while float(jnp.abs(matrix @ x - b).max()) > 1e-3:
        x = x + 0.1 * (b - matrix @ x)
    return x


SOLVERS = {"exact": exact, "iterative": iterative}


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--solver", default="exact", choices=sorted(SOLVERS))
    options = parser.parse_args(arguments)
    solve = SOLVERS[options.solver]
    run = jax.jit(lambda b: solve(jnp.eye(2), b)) if options.solver == "exact" else solve
    print(run(jnp.ones(2)) if options.solver == "exact" else run(jnp.eye(2), jnp.ones(2)))


main([])
main(["--solver", "iterative"])
