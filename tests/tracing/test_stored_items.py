"""Assignments to elements of JAX arrays that no transform leads to."""

from __future__ import annotations

import pytest

from tests.linting import check


@pytest.mark.parametrize("operator", ["=", "+=", "**=", "//="])
def test_statements_of_a_script(operator: str) -> None:
    check(
        f"""
        grid = jnp.zeros((4, 4))
        host = np.zeros(4)
        host[0] {operator} 1.0
        grid[0, 0] {operator} 1.0  # JIT205
        """
    )


def test_a_name_that_is_bound_again() -> None:
    check(
        """
        both = jnp.zeros(3)
        both = np.array(both)
        both[1] = 2.0
        """
    )


def test_what_is_fetched_is_numpys() -> None:
    check(
        """
        fetched = jax.device_get(jnp.zeros(3))
        fetched[0] = 1.0
        """
    )


def test_a_name_that_is_either() -> None:
    check(
        """
        import os

        if os.environ.get("ON_HOST"):
            import numpy as xp
        else:
            import jax.numpy as xp


        def table():
            made = xp.zeros(3)
            made[0] = 1.0
            return made
        """
    )


def test_a_reference_takes_it() -> None:
    check(
        """
        def total(x):
            ref = jax.new_ref(jnp.zeros(3))
            ref[0] = x
            return jax.freeze(ref)
        """
    )


def test_another_value_of_the_same_name() -> None:
    check(
        """
        def table(values):
            made = jnp.zeros(3)
            made = list(values)
            made[0] = 1.0
            return made
        """
    )


def test_an_annotation_is_no_proof() -> None:
    check(
        """
        import dataclasses


        @dataclasses.dataclass
        class Frame:
            origin: jax.Array
            scale: jax.Array


        def load(rows):
            frame = Frame(origin=rows, scale=jnp.ones(3))
            frame.origin[0] = 1.0
            first = frame.origin[1:]
            first[0] = jnp.float32(1.0)
            return frame


        def shift(x: jax.Array):
            x[0] = 1.0
            return jnp.sum(x)
        """
    )
