"""Windowed spectra, resampling and noise gates for short audio clips."""

import functools
import math
import operator

import jax
import jax.numpy as jnp
import numpy as np


def compiled(*static):
    """The project's way to compile: names what is fixed."""

    def wrap(function):
        return functools.wraps(function)(jax.jit(function, static_argnames=static))

    return wrap


def window(length, shape="hann"):
    if shape == "box":
        return np.ones(length)
    return np.hanning(length + 1)[:-1]


@compiled("length", "hop", "shape")
def stft(signal, length=8, hop=4, shape="hann"):
    count = 1 + (signal.shape[0] - length) // hop
    starts = np.arange(count) * hop
    frames = signal[starts[:, None] + np.arange(length)]
    return jnp.fft.rfft(frames * window(length, shape), axis=-1)


@compiled()
def padded_spectrum(signal, size):
    return jnp.fft.rfft(signal, size)  # expect: JIT108 @size


@compiled()
def fade(signal, samples):
    ramp = jnp.linspace(0.0, 1.0, signal.shape[0])
    faded = signal * ramp
    return faded[:samples]  # expect: JIT107 @head


@compiled("rate")
def trim_silence(signal, level, rate):
    loud = jnp.abs(signal) > level
    if rate <= 0:
        raise ValueError("rate must be positive")
    return signal[loud], 1.0 / rate  # expect: JIT109 @loud


@compiled()
def first_onset(signal, level):
    onset = jnp.argmax(jnp.abs(signal) > level)
    return operator.index(onset) * 2  # expect: JIT105 @onset


def decibels(power):
    return 10.0 * math.log10(power)  # expect: JIT105 @decibels


@compiled("unit")
def loudness(signal, unit="linear"):
    power = jnp.mean(signal**2)
    return decibels(power) if unit == "db" else power


def gate(spectrum, level):
    """Suppress what is weaker than a level, bin by bin."""

    def one(value):
        strength = jnp.abs(value)
        return value if strength > level else 0.0 * value  # expect: JIT101 @gate

    return jax.vmap(jax.vmap(one))(spectrum)


def soft_gate(spectrum, level):
    strength = jnp.abs(spectrum)
    return spectrum * jnp.clip(strength / level - 1.0, 0.0, 1.0)


def one_pole(signal, decay):
    def step(state, sample):
        state = decay * state + (1 - decay) * sample
        return state, state

    return jax.lax.scan(step, 0.0, signal)[1]


def peak_hold(signal):
    """The running maximum; falls back by a tenth every sample."""

    def step(peak, sample):
        peak = max(0.9 * peak, jnp.abs(sample))  # expect: JIT110 @peak
        return peak, peak

    return jax.lax.scan(step, 0.0, signal)[1]


def summarise(signal):
    power = float(loudness(signal))
    bins = [f"{value:.2f}" for value in np.abs(np.asarray(stft(signal))[0])]
    return {"db": decibels(power), "peak": max(signal.tolist()), "bins": bins}


def main():
    signal = jnp.sin(jnp.arange(32) * 0.7)
    print(summarise(signal), soft_gate(stft(signal, hop=8), 0.1).shape)
    print(one_pole(signal, 0.5)[-1], stft(signal, shape="box").shape)
    print(padded_spectrum(signal, 64), fade(signal, 4), first_onset(signal, 0.5))
    print(trim_silence(signal, 0.1, rate=8000), loudness(signal, unit="db"))
    print(gate(stft(signal), 0.1), peak_hold(signal))


if __name__ == "__main__":
    main()
