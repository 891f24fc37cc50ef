import jax.numpy as jnp
import spectra as s

X = jnp.sin(jnp.arange(32) * 0.7)
HOSTILE = {
    "size": lambda: s.padded_spectrum(X, 64),
    "head": lambda: s.fade(X, 4),
    "loud": lambda: s.trim_silence(X, 0.1, rate=8000),
    "onset": lambda: s.first_onset(X, 0.5),
    "decibels": lambda: s.loudness(X, unit="db"),
    "gate": lambda: s.gate(s.stft(X), 0.1),
    "peak": lambda: s.peak_hold(X),
}
EXPECT = {
    "size": ("TracerIntegerConversionError",),
    "head": ("IndexError",),
    "loud": ("NonConcreteBooleanIndexError",),
    "onset": ("TracerIntegerConversionError",),
    "decibels": ("ConcretizationTypeError",),
    "gate": ("TracerBoolConversionError",),
    "peak": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: s.stft(X),
    lambda: s.stft(X, length=4, hop=2, shape="box"),
    lambda: s.loudness(X),
    lambda: s.soft_gate(s.stft(X), 0.1),
    lambda: s.one_pole(X, 0.5),
    lambda: s.summarise(X),
]
