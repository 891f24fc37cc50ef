"""Shapes that depend on the values of one argument, where others are mapped."""

from __future__ import annotations

from tests.linting import check


def test_groups_that_are_not_mapped_have_values() -> None:
    check("""
        import jax
        import jax.numpy as jnp

        def summed(values, groups):
            return jax.vmap(jax.ops.segment_sum, [0, None], 0)(values, groups)

        def picked(rows, mask):
            return jax.vmap(lambda row: jnp.compress(mask, row))(rows)

        def by_groups(values, groups):
            return jax.vmap(jax.ops.segment_sum)(values, groups)  # JIT109

        x = jnp.ones((2, 4))
        g = jnp.array([0, 0, 1, 1])
        summed(x, g), picked(x, g > 0), by_groups(x, jnp.stack([g, g]))
    """)


def test_under_jit_nothing_has_values() -> None:
    check("""
        import jax
        import jax.numpy as jnp

        GROUPS = jnp.array([0, 0, 1, 1])

        @jax.jit
        def summed(values):
            return jax.ops.segment_sum(values, GROUPS)  # JIT109

        @jax.jit
        def batched(values):
            return jax.vmap(jax.ops.segment_sum, (0, None))(values, GROUPS)  # JIT109

        @jax.jit
        def bounded(values):
            return jax.ops.segment_sum(values, GROUPS, num_segments=2)
    """)
