"""What a fitted linear classifier does on its data."""

import functools

import jax
import jax.numpy as jnp


class Diagnostics:
    """Mixed into a trainer that knows its number of features."""

    features: int

    @functools.partial(jax.jit, static_argnums=0)
    def threshold(self, params, xs, ys):
        """The cut that separates the classes best."""
        scores = xs @ params["w"] + params["b"]
        cuts = sorted(scores)  # expect: JIT110 @cuts
        return jnp.stack(cuts)[self.features]

    @functools.partial(jax.jit, static_argnums=(0, 3))
    def confident(self, params, xs, count):
        scores = jnp.abs(xs @ params["w"] + params["b"])
        return jnp.sort(scores)[-count:]

    @functools.partial(jax.jit, static_argnums=(0,))
    def bucket(self, params, xs, edges):
        """Number of scores in each bucket."""
        places = jnp.digitize(xs @ params["w"], edges)
        return jnp.bincount(places)  # expect: JIT109 @bucket

    @functools.partial(jax.jit, static_argnums=(0,))
    def bucket_fixed(self, params, xs, edges):
        return jnp.bincount(jnp.digitize(xs @ params["w"], edges), length=len(edges) + 1)
