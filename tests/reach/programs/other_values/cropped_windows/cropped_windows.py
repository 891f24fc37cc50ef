"""Defaults that no call ever changes under jit, and tests that stand for one another."""

import jax
import jax.numpy as jnp
import numpy as np


def window(signal, width=None, centre=0):
    """The caller on the host crops, compiled callers never do."""
    if width is not None:
        start = max(centre - width // 2, 0)
        signal = signal[start : start + width]
    return signal - signal.mean()


@jax.jit
def power(signal):
    return jnp.abs(jnp.fft.rfft(window(signal))) ** 2


def plot_power(signal, ax=None, log=False, limit=None):
    """For the screen."""
    values = np.asarray(power(signal))
    if log:
        values = np.log10(values + 1e-9)
    if limit is not None and values.max() > limit:
        values = values * limit / values.max()
    if ax is not None:
        ax.plot(values)
    return [f"{value:.2f}" for value in values]


def loudness(signal, weights=None, normalise=None):
    """Both or none: with weights there is a norm."""
    if (weights is None) != (normalise is None):
        raise ValueError("give both weights and normalise, or neither")
    if weights is not None:
        signal = signal * weights / normalise
    return jnp.sqrt(jnp.mean(signal**2))


compiled_loudness = jax.jit(loudness)


def main():
    signal = jnp.sin(jnp.arange(8.0))
    print(plot_power(signal, log=True, limit=1.0), window(signal, 4, 2))
    print(compiled_loudness(signal), compiled_loudness(signal, jnp.ones(8), 2.0))


if __name__ == "__main__":
    main()
