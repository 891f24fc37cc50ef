"""One transformer block of flax.linen, with dropout."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    heads: int
    width: int

    def setup(self):
        self.norm = nn.LayerNorm()
        self.mix = nn.SelfAttention(self.heads)
        self.dense = nn.Dense(self.width)
        self.drop = nn.Dropout(0.1)

    def __call__(self, x, deterministic=True):
        y = self.mix(self.norm(x), deterministic=deterministic)
        x = x + self.drop(y, deterministic=deterministic)
        gate = jnp.abs(self.dense(x))
        if gate.max() > 100.0:  # expect: JIT101 @gate
            gate = jnp.minimum(gate, 100.0)
        return x + gate


def loss(params, block, x, key):
    out = block.apply({"params": params}, x, deterministic=False, rngs={"dropout": key})
    return jnp.mean(out**2)


def make_step(heads, width):
    block = Block(heads, width)

    @jax.jit
    def step(params, x, key):
        grads = jax.grad(loss)(params, block, x, key)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

    return block, step
