"""A contrastive encoder in Equinox."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from blocks import Block


class Encoder(eqx.Module):
    blocks: list
    temperature: Array
    scale: str = eqx.field(static=True)

    def __init__(self, width, depth, key, scale="learned", block=Block):
        self.blocks = [block(width, key=k) for k in jax.random.split(key, depth)]
        self.temperature = jnp.asarray(0.1)
        self.scale = scale

    def __call__(self, x: Float[Array, " width"]) -> Float[Array, " width"]:
        for block in self.blocks:
            x = block(x)
        return x / jnp.linalg.norm(x)

    def logits(self, left, right):
        similarity = left @ right.T
        if self.scale == "learned":
            return similarity / self.temperature
        if self.scale == "clamped":
            return similarity / max(self.temperature, 0.01)  # expect: JIT110 @clamp
        return similarity
