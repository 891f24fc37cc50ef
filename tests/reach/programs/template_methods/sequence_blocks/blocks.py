"""Blocks for sequence models on Flax, which differ in how they mix positions."""

import flax.linen as nn
import jax.numpy as jnp


class Block(nn.Module):
    """Normalise, mix, project; ``mix`` is what a subclass is about."""

    features: int

    def mix(self, x, lengths):
        """Exchange information between positions."""
        pass

    def gate(self, x):
        return x

    @nn.compact
    def __call__(self, x, lengths):
        y = nn.LayerNorm()(x)
        mixed = self.mix(y, lengths)
        return x + self.gate(nn.Dense(self.features)(mixed))


class MeanBlock(Block):
    """The mean of all positions so far."""

    def mix(self, x, lengths):
        counts = jnp.arange(1, x.shape[0] + 1)[:, None]
        return jnp.cumsum(x, axis=0) / counts


class CroppedBlock(Block):
    """Looks at the valid positions only."""

    def mix(self, x, lengths):
        valid = x[:lengths]  # expect: JIT107 @crop
        return x - valid.mean(axis=0)


class PaddedBlock(Block):
    """Spreads the last position over the padding."""

    def mix(self, x, lengths):
        padding = jnp.zeros((lengths, x.shape[1]))  # expect: JIT108 @padding
        return jnp.concatenate([x, padding])[: x.shape[0]]


class GatedBlock(MeanBlock):
    """Closes its gate when there is nothing to say."""

    def gate(self, x):
        strength = jnp.abs(x).mean()
        return x if strength > 0.1 else jnp.zeros_like(x)  # expect: JIT101 @gate
