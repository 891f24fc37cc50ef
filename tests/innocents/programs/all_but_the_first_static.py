"""Looks like a fault of JIT107.

The static positions are counted off the code object.

Every stage of the pipeline takes the signal first; whatever follows is a
setting.
"""
import jax
import jax.numpy as jnp

STAGES = []


def stage(fn):
    positions = tuple(range(1, fn.__code__.co_argcount))
    program = jax.jit(fn, static_argnums=positions)
    STAGES.append(program)
    return program


@stage
def trim(signal, start, length):
    return signal[start : start + length]


@stage
def decimate(signal, factor):
    usable = signal[: signal.shape[0] // factor * factor]
    return usable[::factor]


@stage
def delays(signal, count):
    taps = [0.5, 0.25, 0.125]
    total = signal
    for tap in range(1, count):
        total = total + taps[tap] * jnp.roll(signal, tap)
    return total


if __name__ == "__main__":
    signal = jnp.arange(32.0)
    assert trim(signal, 4, 10).shape == (10,)
    assert decimate(signal, 5).shape == (6,)
    assert delays(signal, 3).shape == (32,)
    assert jnp.array_equal(decimate(trim(signal, 4, 10), 2), jnp.arange(4.0, 14.0, 2.0))
    assert [program._cache_size() for program in STAGES] == [1, 2, 1]
