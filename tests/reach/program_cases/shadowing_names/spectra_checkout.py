import sys
from pathlib import Path

import jax.numpy as jnp

#: the folder of the program that is run, which may be a copy
HERE = Path(sys.path[0])
sys.path.insert(0, str(HERE / "spectra-lib"))

from spectra import fit, lines

from tools.observation import is_tracer

X, F = jnp.linspace(-1.0, 1.0, 3), jnp.array([1.0, 0.5, 0.9])


def residuals():
    fit.report(X, F)
    return is_tracer(fit.residuals)


HOSTILE = {
    "emission": lambda: lines.equivalent_width(F, 1.0),
    "deepest": lambda: lines.strongest(F, [1.0, 2.0, 3.0]),
}
EXPECT = {
    "emission": ("TracerBoolConversionError",),
    "deepest": ("TracerIntegerConversionError",),
}
SILENT = {"residuals": residuals}
INNOCENT = [lambda: lines.fast_profile(X, 1.0)]
