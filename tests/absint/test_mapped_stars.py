"""Mapped functions that are handed all their arguments with a star."""

from __future__ import annotations

from tests.linting import check


def test_what_has_no_axis_is_left_as_it_is_passed() -> None:
    check(
        """
        def inner(subject, count, data):
            if subject > 0:  # JIT101
                return jnp.zeros((count, 7)) + data[subject]
            return jnp.zeros((count, 7))

        mapped = jax.vmap(inner, in_axes=[0] + [None] * 2)

        def run(*args):
            return mapped(*args).ravel()
        """
    )


def test_what_has_an_axis_is_traced() -> None:
    check(
        """
        def inner(subject, count):
            return jnp.zeros((count, 7))  # JIT108

        mapped = jax.vmap(inner, in_axes=(None, 0))

        def run(*args):
            return mapped(*args).ravel()
        """
    )
