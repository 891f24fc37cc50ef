"""Compile the methods for whatever comes from outside."""

import importlib
import sys

import jax

from ensembles import Ensemble, Sensitivity


def compiled(fn, relative=False):
    """All that can be asked of a model."""
    ensemble, sensitivity = Ensemble(fn), Sensitivity(fn, relative)
    return {
        "mean": jax.jit(ensemble.mean),
        "confident": jax.jit(ensemble.confident_mean),
        "agreed": jax.jit(ensemble.agreed),
        "gradient": jax.jit(sensitivity.gradient),
        "track": jax.jit(sensitivity.track),
        "curvature": jax.jit(sensitivity.curvature),
    }, sensitivity


def load(path):
    """``package.module:function``."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    print(compiled(load(sys.argv[1])))
