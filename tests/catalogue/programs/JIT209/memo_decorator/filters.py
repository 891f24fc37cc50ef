import jax
import jax.numpy as jnp

from memo import memoized


@memoized
def window(size):
    return jnp.hanning(size)


@jax.jit
def smooth(signal):
    return jnp.convolve(signal, window(5), mode="same")


@jax.jit
def envelope(signal):
    return jnp.convolve(jnp.abs(signal), window(5), mode="same")


def both(signal):
    return smooth(signal), envelope(signal)
