import factories
import fit
import jax.numpy as jnp

from tools.observation import is_tracer

P = {"w": jnp.zeros(1), "b": jnp.zeros(())}


def ledger():
    book = {}
    fit.fit(ledger=book)
    return is_tracer(book)


HOSTILE = {
    "clip": lambda: fit.fit(clip=1.0),
    "skip": lambda: fit.fit(skip_above=1.0),
    "less": lambda: factories.make_eval(0.5, use_jit=True)(P, fit.data()),
}
EXPECT = {
    "clip": ("TracerBoolConversionError",),
    "skip": ("TracerBoolConversionError",),
    "less": ("TracerArrayConversionError",),
}
SILENT = {"ledger": ledger}
INNOCENT = [
    fit.fit,
    lambda: fit.fit(clip=1.0, use_jit=False),
    lambda: factories.make_eval(0.5)(P, fit.data()),
    lambda: factories.make_eval(use_jit=True)(P, fit.data()),
]
