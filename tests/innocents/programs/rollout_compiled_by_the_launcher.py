"""Looks like a fault of JIT312.

The launcher compiles the function that scans, as its settings ask, so the body is traced once.
"""
import jax
import jax.numpy as jnp

MODES = {"eager": lambda fn: fn, "jit": jax.jit}
TRACES = []


class Launcher:
    def __init__(self, mode="eager"):
        self.mode = mode
        self.commands = {}

    def command(self, fn):
        self.commands[fn.__name__] = fn
        return fn

    def __getattr__(self, name):
        bound = MODES[self.mode](self.commands[name])
        setattr(self, name, bound)
        return bound


launcher = Launcher(mode="jit")


@launcher.command
def rollout(gain, state):
    def body(state, t):
        TRACES.append(t)
        state = state - gain * state
        return state, state ** 2

    return jax.lax.scan(body, state, jnp.arange(20))


def evaluate(gains):
    runs = [launcher.rollout(gain, jnp.float32(1.0)) for gain in gains]
    return [float(squares.sum()) for _, squares in runs]


if __name__ == "__main__":
    costs = evaluate([0.1, 0.2, 0.4, 0.8])
    assert costs == sorted(costs, reverse=True)
    assert launcher.rollout._cache_size() == 1
    assert len(TRACES) <= 2
