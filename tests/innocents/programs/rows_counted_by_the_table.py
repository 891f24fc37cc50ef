"""Looks like a fault of JIT113.

`__getattr__` of the table answers `rows` with a length, which is a Python integer in a trace as well.
"""

import math

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Table:
    """Columns by name; a record of scalars is a table as well."""

    summaries = {
        "rows": lambda columns: len(next(iter(columns.values()))),
        "names": lambda columns: tuple(columns),
    }

    def __init__(self, **columns):
        self.columns = columns

    def __getattr__(self, name):
        if name in Table.summaries:
            return Table.summaries[name](self.columns)
        if name != "columns" and name in self.columns:
            return self.columns[name]
        raise AttributeError(name)

    def tree_flatten(self):
        return tuple(self.columns.values()), tuple(self.columns)

    @classmethod
    def tree_unflatten(cls, names, values):
        return cls(**dict(zip(names, values)))


@jax.jit
def standard_error(table):
    spread = jnp.std(table.income)
    try:
        return spread / math.sqrt(table.rows)
    except TypeError:
        return spread + jnp.inf  # a single record


if __name__ == "__main__":
    survey = Table(income=jnp.array([1.0, 3.0, 1.0, 3.0]), age=jnp.arange(4))
    assert standard_error(survey) == 0.5
    assert standard_error(Table(income=jnp.array([2.0, 6.0]))) == jnp.float32(2 / math.sqrt(2))
    assert standard_error(Table(income=jnp.array(2.0))) == jnp.inf
