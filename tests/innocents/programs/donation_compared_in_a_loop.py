"""Looks like a fault of JIT302.

The loop is there to try one function with other options of jit in each turn.
"""

import itertools

import jax
import jax.numpy as jnp


def advance(field, courant):
    ahead = jnp.roll(field, -1)
    behind = jnp.roll(field, 1)
    return field - 0.5 * courant * (ahead - behind) + 0.5 * courant**2 * (ahead - 2 * field + behind)


def options():
    """All ways to compile the step that are worth a look."""
    donated = ({}, {"donate_argnums": 0})
    fixed = ({}, {"static_argnames": "courant"})
    for one, other in itertools.product(donated, fixed):
        yield {**one, **other}


def compare(size, steps=5):
    report = []
    for chosen in options():
        step = jax.jit(advance, **chosen)
        field = jnp.sin(jnp.linspace(0.0, 6.28, size))
        for _ in range(steps):
            field = step(field, courant=0.5)
        program = step.lower(field, courant=0.5).compile()
        report.append((sorted(chosen), program.memory_analysis().alias_size_in_bytes, field))
    return report


if __name__ == "__main__":
    report = compare(1024)
    assert len({tuple(chosen) for chosen, _, _ in report}) == len(report) == 4
    for chosen, shared, field in report:
        assert shared == (4096 if "donate_argnums" in chosen else 0)
        assert jnp.allclose(field, report[0][2], atol=1e-5)
