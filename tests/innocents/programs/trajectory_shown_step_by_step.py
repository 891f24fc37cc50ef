"""Looks like a fault of JIT201.

The function that shows what happens is passed together with a scan that is a loop of Python.
"""

import contextlib
import io

import jax
import jax.numpy as jnp


def stepwise(body, carry, xs, length=None):
    """Stands in for jax.lax.scan where somebody wants to watch."""
    outputs = []
    for i in range(length if xs is None else len(xs)):
        carry, output = body(carry, None if xs is None else xs[i])
        outputs.append(output)
    return carry, jnp.stack(outputs)


def simulate(state, steps, dt=0.1, scan=jax.lax.scan, watch=None):
    def advance(state, _):
        position, velocity = state
        velocity = velocity - dt * position
        position = position + dt * velocity
        if watch is not None:
            watch(position, velocity)
        return (position, velocity), 0.5 * (position**2 + velocity**2)

    return scan(advance, state, None, length=steps)


def show(position, velocity):
    print(f"{position:8.4f} {velocity:8.4f}")


def explain(state, steps):
    return simulate(state, steps, scan=stepwise, watch=show)


if __name__ == "__main__":
    start = (jnp.array(1.0), jnp.array(0.0))
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        _, watched = explain(start, 4)
    _, energies = simulate(start, 4)
    assert jnp.allclose(watched, energies, atol=1e-6)
    rows = [[float(number) for number in line.split()] for line in shown.getvalue().splitlines()]
    assert len(rows) == 4 and rows[0] == [0.99, -0.1]
