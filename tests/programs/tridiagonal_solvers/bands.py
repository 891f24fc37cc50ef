"""Direct and iterative solvers for banded systems, with an implicit derivative."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def thomas(lower, diagonal, upper, rhs):
    def eliminate(carry, row):
        ratio, value = carry
        low, middle, up, right = row
        pivot = middle - low * ratio
        state = up / pivot, (right - low * value) / pivot
        return state, state

    _, (ratios, values) = lax.scan(eliminate, (0.0, 0.0), (lower, diagonal, upper, rhs))

    def substitute(x, row):
        ratio, value = row
        x = value - ratio * x
        return x, x

    return lax.scan(substitute, 0.0, (ratios, values), reverse=True)[1]


def thomas_pivoting(lower, diagonal, upper, rhs):
    """Elimination that refuses small pivots."""
    pivot, values = diagonal[0], [rhs[0]]
    for row in range(1, diagonal.shape[0]):
        if abs(pivot) < 1e-8:  # expect: JIT101 @pivot
            raise ZeroDivisionError(f"row {row}")
        ratio = lower[row] / pivot
        pivot = diagonal[row] - ratio * upper[row - 1]
        values.append(rhs[row] - ratio * values[-1])
    return jnp.stack(values)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def implicit_solve(sweeps, diagonal, rhs):
    return jacobi(sweeps, diagonal, rhs)


def jacobi(sweeps, diagonal, rhs):
    x = jnp.zeros_like(rhs)
    for _ in range(sweeps):
        x = (rhs + jnp.roll(x, 1) + jnp.roll(x, -1)) / diagonal
    return x


def implicit_forward(sweeps, diagonal, rhs):
    x = jacobi(sweeps, diagonal, rhs)
    return x, (diagonal, x)


def implicit_backward(sweeps, residue, cotangent):
    diagonal, x = residue
    adjoint = jacobi(sweeps, diagonal, cotangent)
    scale = np.maximum(1.0, jnp.abs(adjoint).max())  # expect: JIT106 @scale
    return -adjoint * x / scale, adjoint / scale


implicit_solve.defvjp(implicit_forward, implicit_backward)


def misfit(diagonal, rhs, target):
    return ((implicit_solve(20, diagonal, rhs) - target) ** 2).sum()


misfit_slope = jax.jit(jax.grad(misfit))


def conjugate_gradients(matvec, rhs, rounds):
    def turn(state):
        k, x, r, p = state
        ap = matvec(p)
        step = (r @ r) / (p @ ap)
        following = r - step * ap
        return k + 1, x + step * p, following, following + (following @ following) / (r @ r) * p

    def unfinished(state):
        k, _, r, _ = state
        return k < rounds and r @ r > 1e-8  # expect: JIT104 @rounds

    return lax.while_loop(unfinished, turn, (0, jnp.zeros_like(rhs), rhs, rhs))[1]


def steepest_descent(matvec, rhs, rounds):
    def unfinished(state):
        return (state[0] < rounds) & (state[2] @ state[2] > 1e-8)

    def turn(state):
        k, x, r = state
        step = (r @ r) / (r @ matvec(r))
        return k + 1, x + step * r, r - step * matvec(r)

    return lax.while_loop(unfinished, turn, (0, jnp.zeros_like(rhs), rhs))[1]


@jax.jit
def bandwidth(matrix):
    rows, columns = jnp.nonzero(matrix)  # expect: JIT109 @band
    return jnp.abs(rows - columns).max()


@jax.jit
def off_diagonal(matrix, offset):
    return jnp.diagonal(matrix, offset)  # expect: JIT108 @offset


def poisson(diagonal):
    def matvec(x):
        return diagonal * x - jnp.roll(x, 1) - jnp.roll(x, -1)

    return matvec


def condition(matrix):
    """The spectral condition number, by NumPy."""
    values = np.linalg.svd(np.asarray(matrix), compute_uv=False)
    return float("inf") if values[-1] == 0 else values[0] / values[-1]


def main():
    ones, rhs = jnp.ones(6), jnp.arange(6.0)
    print(thomas(-ones, 3 * ones, -ones, rhs), steepest_descent(poisson(3 * ones), rhs, 30))
    print(thomas_pivoting(-np.ones(6), 3 * np.ones(6), -np.ones(6), np.arange(6.0)))
    print(jax.jit(thomas_pivoting)(-ones, 3 * ones, -ones, rhs))
    print(misfit(3 * ones, rhs, ones), condition(jnp.diag(rhs + 1)))
    print(misfit_slope(3 * ones, rhs, ones), bandwidth(jnp.eye(4)), off_diagonal(jnp.eye(4), 1))
    print(conjugate_gradients(poisson(3 * ones), rhs, 30))


if __name__ == "__main__":
    main()
