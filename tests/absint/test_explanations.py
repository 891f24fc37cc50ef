"""The way from a transform to a report: each call on it is a step, whatever ran before."""

from __future__ import annotations

import pytest

from tests.linting import analysis

_SOURCE = """
    def check(x):
        if x > 0:
            return x
        return -x

    def half(x):
        return x / 2

    @jax.jit
    def step(x):
        {before}
        return check(x.sum())
"""


@pytest.mark.parametrize(
    "before",
    [
        "y = jax.vmap(half)(x)",
        # What was recalled from the first call, and a function that nobody can enter.
        "y = jax.vmap(half)(x); z = jax.vmap(half)(x)",
        "y = jax.vmap(jnp.sin)(x)",
    ],
)
def test_calls_behind_other_transforms_are_steps(before: str) -> None:
    (diagnostic,) = analysis(_SOURCE.format(before=before)).diagnostics
    assert [step.note for step in diagnostic.trace][:2] == [
        "traced by jax.jit",
        "`check` is called",
    ]
