"""Residual blocks."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, PRNGKeyArray


class Block(eqx.Module):
    linear: eqx.nn.Linear
    gate: Array
    rate: float = 0.5
    residual: bool = eqx.field(static=True, default=True)

    def __init__(self, width: int, *, key: PRNGKeyArray, residual: bool = True):
        self.linear = eqx.nn.Linear(width, width, key=key)
        self.gate = jnp.ones(())
        self.residual = residual

    def __call__(self, x):
        out = jax.nn.gelu(self.linear(x))
        if self.rate > 0:
            out = out * (1 - self.rate)
        return x + self.gate * out if self.residual else out


class GatedBlock(Block):
    """Skips the layer when its gate has closed."""

    def __call__(self, x):
        if self.gate > 0.01:  # expect: JIT101 @gate
            return super().__call__(x)
        return x
