"""Looks like a fault of JIT106.

The array names its own namespace (`__array_namespace__`).

`np` is a local name here: NumPy for arrays of NumPy, jax.numpy for the rest.
"""
import jax
import jax.numpy as jnp
import numpy


def namespace(*arrays):
    found = {a.__array_namespace__() for a in arrays if hasattr(a, "__array_namespace__")}
    if len(found) != 1:
        raise TypeError("arrays of different libraries")
    return found.pop()


def spectrum(signal, window):
    np = namespace(signal, window)
    tapered = signal * window
    power = np.abs(np.fft.rfft(tapered)) ** 2
    return np.log(np.maximum(power, 1e-12))


def centroid(levels):
    np = namespace(levels)
    weights = np.exp(levels - np.max(levels))
    return np.sum(weights * np.arange(levels.shape[0])) / np.sum(weights)


@jax.jit
def pitch(signal, window):
    return centroid(spectrum(signal, window))


if __name__ == "__main__":
    t = numpy.arange(64, dtype=numpy.float32)
    signal = numpy.sin(2 * numpy.pi * 8 * t / 64).astype(numpy.float32)
    window = numpy.hanning(64).astype(numpy.float32)
    on_device = pitch(jnp.asarray(signal), jnp.asarray(window))
    on_host = centroid(spectrum(signal, window))
    assert isinstance(on_device, jax.Array) and isinstance(on_host, numpy.floating)
    assert numpy.isclose(float(on_device), float(on_host), rtol=1e-3)
    assert abs(float(on_device) - 8.0) < 0.5
