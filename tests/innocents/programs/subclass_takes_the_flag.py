"""Looks like a fault of JIT305.

The base class names a parameter that its own method lacks; those of the subclasses, which alone are made, have it.
"""

import abc

import jax
import jax.numpy as jnp


class Task(abc.ABC):
    """What can be learnt. A subclass says how its examples are scored."""

    def __init__(self):
        self.compiled_score = jax.jit(self.score, static_argnames="reduce")

    @abc.abstractmethod
    def score(self, params, batch): ...

    def mean(self, params, batches):
        return sum(self.compiled_score(params, batch, reduce=True) for batch in batches) / len(batches)

    def each(self, params, batch):
        return self.compiled_score(params, batch, reduce=False)


class Regression(Task):
    def score(self, params, batch, reduce=True):
        x, y = batch
        errors = (x @ params - y) ** 2
        return errors.mean() if reduce else errors


class Ranking(Task):
    """Pairs of a better and a worse candidate."""

    def score(self, params, batch, *, reduce=True, margin=1.0):
        better, worse = batch
        errors = jax.nn.relu(margin - (better - worse) @ params)
        return errors.mean() if reduce else errors


if __name__ == "__main__":
    params = jnp.array([1.0, 0.0])
    x = jnp.array([[1.0, 0.0], [3.0, 0.0]])
    regression, ranking = Regression(), Ranking()
    assert regression.mean(params, [(x, jnp.ones(2))] * 3) == 2.0
    assert regression.each(params, (x, jnp.ones(2))).tolist() == [0.0, 4.0]
    assert ranking.each(params, (x, x[::-1])).tolist() == [3.0, 0.0]
    assert ranking.mean(params, [(x, x)]) == 1.0
    assert regression.compiled_score._cache_size() == 2
