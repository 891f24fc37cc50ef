"""Filter and pick seismic traces."""

import jax.numpy as jnp
import numpy as np

from accelerate import CALLS, accelerated, lazy_jit


@accelerated("kind")
def taper(trace, kind="cosine"):
    """Fade both ends."""
    windows = {}
    windows["cosine"] = jnp.sin(jnp.linspace(0.0, jnp.pi, trace.shape[-1]))
    windows["none"] = jnp.ones(trace.shape[-1])
    return trace * windows[kind]


@accelerated("corners")
def bandpass(trace, corners=(2, 6)):
    """Keep a band of frequencies."""
    low, high = corners
    spectrum = jnp.fft.rfft(trace)
    spectrum = spectrum.at[:low].set(0.0).at[high:].set(0.0)
    return jnp.fft.irfft(spectrum, trace.shape[-1])


@lazy_jit
def energy_ratio(trace, window):
    """Short over long term average."""
    short = jnp.convolve(trace**2, window, "same")
    return short / jnp.mean(trace**2)


@accelerated()
def pick(trace):
    """Where the energy rises most."""
    return jnp.argmax(energy_ratio(trace, jnp.ones(3) / 3))


def synthetic(seed, length=32, onset=20):
    """Noise and an arrival."""
    rng = np.random.default_rng(seed)
    trace = 0.01 * rng.normal(size=length)
    trace[onset:] += np.sin(np.arange(length - onset))
    return trace


def picks(seeds):
    """Arrivals of several traces."""
    found = []
    for seed in seeds:
        trace = bandpass(taper(synthetic(seed), kind="none"), corners=(1, 12))
        found.append(int(pick(trace)))
        print("seed", seed, "arrival", found[-1])
    return found, dict(CALLS)
