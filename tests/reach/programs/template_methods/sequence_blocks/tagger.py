"""Apply a block to one sentence."""

import jax
import jax.numpy as jnp

import blocks


def apply(cls, x, length):
    """Compiled, as in training."""
    block = cls(features=x.shape[-1])
    variables = blocks.MeanBlock(features=x.shape[-1]).init(jax.random.key(0), x, length)

    @jax.jit  # expect: JIT303 @rebuilt
    def forward(variables, x, length):
        return block.apply(variables, x, length)

    return forward(variables, x, length)


if __name__ == "__main__":
    sentence = jnp.ones((4, 3))
    print("mean", apply(blocks.MeanBlock, sentence, 3))
    print("cropped", apply(blocks.CroppedBlock, sentence, 3))
    print("padded", apply(blocks.PaddedBlock, sentence, 3))
    print("gated", apply(blocks.GatedBlock, sentence, 3))
