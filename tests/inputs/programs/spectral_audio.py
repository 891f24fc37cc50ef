"""Spectral features of a signal cut into frames."""

import jax
import jax.numpy as jnp
import numpy as np

FRAME = 64
WINDOW = np.hanning(FRAME)


def frames(signal):
    if signal.shape[0] % FRAME:
        raise ValueError("the signal must hold whole frames")
    return signal.reshape(-1, FRAME)


@jax.jit
def centroid(signal):
    spectrum = jnp.abs(jnp.fft.rfft(frames(signal) * WINDOW))
    bins = jnp.arange(FRAME // 2 + 1)
    power = spectrum.sum(axis=1)
    if (power < 1e-6).all():  # expect: JIT101 @silence
        return jnp.zeros(power.shape)
    return (spectrum * bins).sum(axis=1) / power


@jax.jit
def onsets(signal):
    energy = (frames(signal) ** 2).sum(axis=1)
    rise = jnp.diff(energy) > 0.1
    return jnp.nonzero(rise)[0]  # expect: JIT109 @rise
