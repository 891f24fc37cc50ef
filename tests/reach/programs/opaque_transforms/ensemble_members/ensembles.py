"""Wrappers around a model that the user brings."""

import jax
import jax.numpy as jnp
import numpy as np


class Ensemble:
    """Applies one function with many parameters.

    Args:
      fn: from parameters and an input to an output.
    """

    def __init__(self, fn):
        self.fn = fn

    def predictions(self, params, x):
        return jax.vmap(self.fn, in_axes=(0, None))(params, x)

    def mean(self, params, x):
        return self.predictions(params, x).mean(axis=0)

    def confident_mean(self, params, x):
        """Zero where the members disagree."""
        outputs = jax.vmap(self.fn, in_axes=(0, None))(params, x)
        if outputs.std() > 1.0:  # expect: JIT101 @disagree
            return jnp.zeros(outputs.shape[1:])
        return outputs.mean(axis=0)

    def agreed(self, params, x):
        """The members that agree with the majority."""
        outputs = self.predictions(params, x)
        votes = np.sign(outputs)  # expect: JIT106 @votes
        return outputs * votes


class Sensitivity:
    """What a scalar function depends on."""

    def __init__(self, fn, relative=False):
        self.fn = fn
        self.relative = relative
        self.largest = None

    def gradient(self, x):
        value, gradient = jax.value_and_grad(self.fn)(x)
        if self.relative and value != 0:  # expect: JIT101 @relative
            gradient = gradient / value
        return gradient

    def track(self, x):
        gradient = jax.grad(self.fn)(x)
        self.largest = jnp.abs(gradient).max()  # expect: JIT204 @largest
        return gradient

    def curvature(self, x):
        """The diagonal of the Hessian, if it is positive."""
        hessian = jax.hessian(self.fn)(x)
        diagonal = jnp.diag(hessian)
        return [entry for entry in diagonal if entry > 0]  # expect: JIT101 @curvature
