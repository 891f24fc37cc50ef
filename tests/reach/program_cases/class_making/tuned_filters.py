import filters as m
import jax.numpy as jnp

from tools.observation import is_tracer

S = jnp.sin(jnp.arange(5.0))


def peaks():
    made = m.Third(0.2)
    made.run(S)
    return is_tracer(made.peaks)


HOSTILE = {
    "nan": lambda: m.CheckedFilter().apply(S),
    "loud": lambda: m.LoudFilter().apply(S),
    "settled": lambda: m.First().settled(S),
}
EXPECT = {
    "nan": ("TracerBoolConversionError",),
    "loud": ("TracerBoolConversionError",),
    "settled": ("TracerBoolConversionError",),
}
SILENT = {"peaks": peaks}
INNOCENT = [lambda: m.Filter().apply(S), lambda: m.Gaussian().apply(S)]
