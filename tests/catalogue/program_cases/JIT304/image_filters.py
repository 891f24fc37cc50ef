import jax.numpy as jnp

import filters

from tools.harm import raises

X = jnp.ones((4, 4))

HOSTILE = {}
SILENT = {
    "ndarray": lambda: raises(lambda: filters.dilate(X, footprint=X[:3, :3]), "ValueError"),
    "jaxtyping": lambda: raises(lambda: filters.deconvolve(X, psf=X), "ValueError"),
    "masks": lambda: raises(lambda: filters.Pyramid.blend(X, X[None]), "ValueError"),
}
