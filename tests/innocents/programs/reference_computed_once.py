"""Looks like a fault of JIT303.

A decorator of the project runs the function at the first call, and gives that result for all others.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def once(fn):
    """For what the process needs exactly one of."""
    outcome = []

    @functools.wraps(fn)
    def call():
        if not outcome:
            outcome.append(fn())
        return outcome[0]

    return call


@once
def ground_state_energy():
    """Of a particle in a harmonic well, on a grid: what all results are compared with."""
    x = np.linspace(-6.0, 6.0, 121)
    spacing = x[1] - x[0]

    @jax.jit
    def lowest(potential):
        hop = jnp.eye(len(x), k=1) + jnp.eye(len(x), k=-1)
        hamiltonian = (jnp.eye(len(x)) - 0.5 * hop) / spacing**2 + jnp.diag(potential)
        return jnp.linalg.eigvalsh(hamiltonian)[0]

    return float(lowest(0.5 * x**2))


def relative_error(energy):
    return abs(energy - ground_state_energy()) / ground_state_energy()


def table(estimates):
    return {name: relative_error(energy) for name, energy in estimates.items()}


if __name__ == "__main__":
    errors = table({"exact": 0.5, "variational": 0.55, "perturbed": 0.45})
    assert errors["exact"] < 0.01 < errors["perturbed"]
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: compiled.append(event))
    assert ground_state_energy() is ground_state_energy()
    assert table({"another": 0.5}) == {"another": errors["exact"]}
    assert not any("compile" in event for event in compiled), compiled
