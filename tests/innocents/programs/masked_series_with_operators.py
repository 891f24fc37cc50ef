"""Looks like a fault of JIT109.

A loop puts the operators on the class; indexing with a mask is one of them.

`series[series > 0]` keeps the length and marks what is left out.
"""
import operator

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Series:
    def __init__(self, values, valid):
        self.values = values
        self.valid = valid

    def tree_flatten(self):
        return (self.values, self.valid), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def where(self, condition):
        return Series(self.values, self.valid & condition.values)

    def mean(self):
        return jnp.sum(self.values * self.valid) / jnp.maximum(self.valid.sum(), 1)


def _elementwise(function):
    def method(self, other):
        other = other.values if isinstance(other, Series) else other
        return Series(function(self.values, other), self.valid)

    return method


for _name in ("gt", "lt", "ge", "le", "add", "sub", "mul", "truediv"):
    setattr(Series, f"__{_name}__", _elementwise(getattr(operator, _name)))
setattr(Series, "__getitem__", Series.where)


@jax.jit
def mean_gain(returns):
    gains = returns[returns > 0]
    return gains[gains < 0.5].mean()


if __name__ == "__main__":
    values = jnp.array([0.1, -0.2, 0.3, 0.9])
    returns = Series(values, jnp.ones(4, bool))
    assert jnp.isclose(mean_gain(returns), 0.2)
    assert jnp.isclose(mean_gain(returns - 0.5), 0.4)
    assert mean_gain._cache_size() == 1
