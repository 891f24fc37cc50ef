"""Detection of a chirp in noise."""

import os
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

SAMPLES = int(os.environ.get("CHIRP_SAMPLES", "64"))
WINDOW = np.ones(SAMPLES)
WINDOW[: SAMPLES // 8] = np.linspace(0, 1, SAMPLES // 8)
WINDOW[-(SAMPLES // 8) :] = WINDOW[: SAMPLES // 8][::-1]


def chirp(rate):
    time_axis = np.arange(SAMPLES) / SAMPLES
    return jnp.sin(2 * jnp.pi * (4 * time_axis + rate * time_axis**2)) * WINDOW


def correlate(signal, template):
    spectrum = jnp.fft.rfft(signal) * jnp.fft.rfft(template).conj()
    return jnp.fft.irfft(spectrum, n=SAMPLES)


def bank(rates):
    """Correlation with every template of a bank."""
    return jax.vmap(lambda signal, rate: correlate(signal, chirp(rate)), in_axes=(None, 0))


def detector(rates):
    """A compiled detector for a bank of templates."""
    filters = bank(rates)
    rates = jnp.asarray(rates)

    @partial(jax.jit, static_argnames=("order",))
    def detect(signal, order="best"):
        response = jnp.abs(filters(signal, rates))
        jax.debug.print("strongest {value:.2f}", value=response.max())
        ranked = {"best": response.max(axis=1), "mean": response.mean(axis=1)}
        return rates[ranked[order].argmax()]

    return detect


def noisy(rate, rng):
    return chirp(rate) + 0.1 * rng.normal(size=SAMPLES)


def main():
    rng = np.random.default_rng(int(time.time()))
    detect = detector((2.0, 4.0, 8.0))
    hits = 0
    for rate in (2.0, 4.0, 8.0, 4.0):
        hits += int(detect(noisy(rate, rng)) == rate)
        print("found", detect(noisy(rate, rng), order="mean"))
    print(f"{hits} of 4")


if __name__ == "__main__":
    main()
