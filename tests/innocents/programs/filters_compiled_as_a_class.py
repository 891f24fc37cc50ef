"""Looks like a fault of JIT312.

A class decorator compiles every public function of the class.

The control flow with a fresh body runs within jit, once for each shape.
"""
import jax
import jax.numpy as jnp


def accelerated(cls):
    for name in [n for n in dir(cls) if not n.startswith("_")]:
        setattr(cls, name, staticmethod(jax.jit(getattr(cls, name))))
    return cls


@accelerated
class Filters:
    def exponential(series, decay):
        def step(level, value):
            level = decay * level + (1 - decay) * value
            return level, level

        return jax.lax.scan(step, series[0], series)[1]

    def settle(series, tolerance):
        def unsettled(state):
            return jnp.abs(state[0] - state[1]).max() > tolerance

        def relax(state):
            smooth = (jnp.roll(state[0], 1) + 2 * state[0] + jnp.roll(state[0], -1)) / 4
            return smooth, state[0]

        return jax.lax.while_loop(unsettled, relax, (series, series + 1.0))[0]


def smooth_all(rows, decay):
    return [Filters.settle(Filters.exponential(row, decay), 0.05) for row in rows]


if __name__ == "__main__":
    rows = [jnp.sin(jnp.arange(8.0) + phase) for phase in range(4)]
    for row in smooth_all(rows, 0.5):
        assert row.shape == (8,)
    assert Filters.exponential._cache_size() == 1
    smooth_all(rows, 0.9)
    assert Filters.exponential._cache_size() == Filters.settle._cache_size() == 1
