"""Looks like a fault of JIT107.

An object with `__index__` that is registered as a static node.

It has no leaves, so that jit hands the very object over, and `range` and the
slices ask it for its number.
"""
import dataclasses
import datetime

import jax
import jax.numpy as jnp


@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class Horizon:
    span: datetime.timedelta
    tick: datetime.timedelta = datetime.timedelta(minutes=15)

    def __index__(self):
        return int(self.span / self.tick)


BLEND = [1.0, 0.9, 0.7, 0.5, 0.4]


@jax.jit
def forecast(history, coefficients, horizon):
    window = history[-len(coefficients) :]
    values = []
    for _ in range(horizon):
        value = jnp.dot(window, coefficients)
        window = jnp.append(window[1:], value)
        values.append(value)
    return jnp.stack(values)


@jax.jit
def recent(history, horizon):
    return BLEND[horizon] * history[: horizon.__index__()].mean()


if __name__ == "__main__":
    history = jnp.arange(16.0)
    hour = Horizon(datetime.timedelta(hours=1))
    half = Horizon(datetime.timedelta(minutes=30))
    path = forecast(history, jnp.array([-1.0, 2.0]), hour)
    assert jnp.allclose(path, jnp.array([16.0, 17.0, 18.0, 19.0]))
    assert jnp.isclose(recent(history, half), 0.7 * 0.5)
    forecast(history, jnp.array([0.0, 1.0]), Horizon(datetime.timedelta(minutes=60)))
    assert forecast._cache_size() == 1
