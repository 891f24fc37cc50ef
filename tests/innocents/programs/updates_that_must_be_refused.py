"""Innocent, though it looks like JIT212.

What makes it right: the updates stand in a test under assertRaises, where they are to raise and have no result.
"""

import unittest

import jax
import jax.numpy as jnp


def write_row(table, index, row):
    if row.shape != table.shape[1:]:
        raise ValueError(f"a row of {table.shape[1:]} was expected")
    return table.at[index].set(row, mode="promise_in_bounds")


class TableTest(unittest.TestCase):
    def setUp(self):
        self.table = jnp.zeros((3, 2))

    def test_rows_have_their_width(self):
        with self.assertRaises(ValueError):
            write_row(self.table, 0, jnp.ones(3))
        with self.assertRaises(ValueError):
            self.table.at[0].set(jnp.ones(3))

    def test_indices_are_whole_numbers(self):
        @jax.jit
        def scatter(table, index):
            with self.assertRaisesRegex(TypeError, "integer"):
                table.at[index].add(1.0)
            return table

        scatter(self.table, jnp.array([0.5, 1.0]))

    def test_a_row_is_written(self):
        written = write_row(self.table, 1, jnp.ones(2))
        self.assertEqual(float(written.sum()), 2.0)


suite = unittest.defaultTestLoader.loadTestsFromTestCase(TableTest)
result = unittest.TextTestRunner(verbosity=0).run(suite)
assert result.wasSuccessful() and result.testsRun == 3
