"""A module that keeps its state in itself."""

import jax
import jax.numpy as jnp


class Amplifier:
    level = 1.0
    bands = {"low": 1.0, "high": 1.0}


def mute():
    Amplifier.bands["high"] = 0.0


def amplify(x):
    low, high = x[:2], x[2:]
    high = high * Amplifier.bands["high"]  # expect: JIT208 @band
    return Amplifier.level * jnp.concatenate([low, high])  # expect: JIT208 @level


play = jax.jit(amplify)


def concert(x):
    Amplifier.level, Amplifier.bands["high"] = 1.0, 1.0
    first = play(x)
    setattr(Amplifier, "level", 2.0)
    second = play(x)
    Amplifier.level = 1.0
    return first, second


def muted(x):
    Amplifier.level, Amplifier.bands["high"] = 1.0, 1.0
    first = play(x)
    mute()
    return first, play(x)
